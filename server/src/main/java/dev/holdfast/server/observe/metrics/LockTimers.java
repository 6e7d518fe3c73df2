package dev.holdfast.server.observe.metrics;

import dev.holdfast.micrometer.DurationBuckets;
import dev.holdfast.model.RecordKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** How long acquiring took and holds lasted: per namespace, or per lock if that was asked for. */
final class LockTimers {
    /** Namespaces with values of their own. */
    static final int MAX_NAMESPACES = 200;
    /** Locks with values of their own, where the lock's name is a label. */
    static final int MAX_LOCKS = 1_000;

    private final MeterRegistry registry;
    private final MetersConfig config;
    private final BoundedLabels<String, MeterPerConstant<AcquireOutcome, Timer>> byNamespace;
    private final BoundedLabels<RecordKey, MeterPerConstant<AcquireOutcome, Timer>> byLock;
    private final BoundedLabels<RecordKey, Timer> heldByLock;
    private final Timer held;

    LockTimers(MeterRegistry registry, MetersConfig config) {
        this.registry = registry;
        this.config = config;
        RecordKey other = new RecordKey("other", "other");
        this.byNamespace =
                new BoundedLabels<>(MAX_NAMESPACES, "other", namespace -> acquire(Tags.of("namespace", namespace)));
        this.byLock = new BoundedLabels<>(MAX_LOCKS, other, key -> acquire(tags(key)));
        this.heldByLock = new BoundedLabels<>(MAX_LOCKS, other, key -> held(tags(key)));
        RecordKey first = new RecordKey("default", "none");
        this.held = config.lockNameLabel() ? heldByLock.of(first) : held(Tags.empty());
        of(first); // there before it is used, with zeros
    }

    void acquired(RecordKey key, AcquireOutcome outcome, Duration took) {
        of(key).of(outcome).record(took);
    }

    void ended(RecordKey key, Duration lasted) {
        (config.lockNameLabel() ? heldByLock.of(key) : held).record(lasted);
    }

    private MeterPerConstant<AcquireOutcome, Timer> of(RecordKey key) {
        return config.lockNameLabel() ? byLock.of(key) : byNamespace.of(key.namespace());
    }

    private static Tags tags(RecordKey key) {
        return Tags.of("namespace", key.namespace(), "name", key.name());
    }

    private MeterPerConstant<AcquireOutcome, Timer> acquire(Tags tags) {
        return new MeterPerConstant<>(
                AcquireOutcome.class,
                outcome -> Timer.builder("holdfast.lock.acquire.duration")
                        .description("How long attempts to acquire a lock took, waiting included")
                        .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.ANSWERS))
                        .tags(tags.and("store", config.store(), "outcome", outcome))
                        .register(registry));
    }

    private Timer held(Tags tags) {
        return Timer.builder("holdfast.lock.held.duration")
                .description("How long holds lasted, measured when they end")
                .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.HOLDS))
                .tags(tags)
                .register(registry);
    }
}
