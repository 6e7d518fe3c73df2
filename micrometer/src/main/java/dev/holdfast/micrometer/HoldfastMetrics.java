package dev.holdfast.micrometer;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockListener;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/**
 * Measures the locks of an application. Give it to its clients:
 *
 * <pre>{@code
 * ClientConfig.DEFAULT.withListener(HoldfastMetrics.on(registry))
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>Meter</th><th>Tags</th><th>What it measures</th></tr>
 * <tr><td>{@code holdfast.client.acquire.duration}</td><td>namespace, outcome</td>
 *     <td>how long calls for a lock took, waiting included; outcome {@code granted} or {@code busy}</td></tr>
 * <tr><td>{@code holdfast.client.acquire.failures}</td><td>namespace, reason</td>
 *     <td>calls that ended without an answer: {@code unavailable outcome_unknown refused unusable ended closed cancelled error},
 *     where {@code ended} is a lease id that had ended before</td></tr>
 * <tr><td>{@code holdfast.client.held.duration}</td><td>namespace</td>
 *     <td>how long locks were held that were given back</td></tr>
 * <tr><td>{@code holdfast.client.lost}</td><td>namespace, reason</td>
 *     <td>leases that were lost while they were in use, by {@link LostReason} in small letters</td></tr>
 * </table>
 *
 * <p>200 namespaces have values of their own; all others share {@code other}. The lock is not a tag unless {@link #withLockTag} makes it
 * one. One of these may serve several clients. Safe for any thread.
 */
public final class HoldfastMetrics implements LockListener {
    /** Namespaces, and values of {@link #withLockTag}, that have meters of their own: as many as at a server. */
    static final int MAX_NAMESPACES = 200;

    static final int MAX_LOCKS = 1_000;

    private final MeterRegistry registry;
    private final Optional<Function<LockKey, String>> lock;
    private final MeterProvider<Timer> acquire;
    private final MeterProvider<Counter> failures;
    private final MeterProvider<Timer> held;
    private final MeterProvider<Counter> lost;
    private final BoundedValues namespaces = new BoundedValues(MAX_NAMESPACES);
    private final BoundedValues locks = new BoundedValues(MAX_LOCKS);

    private HoldfastMetrics(MeterRegistry registry, Optional<Function<LockKey, String>> lock) {
        this.registry = registry;
        this.lock = lock;
        acquire = Timer.builder("holdfast.client.acquire.duration")
                .description("How long calls for a lock took, waiting included")
                .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.ANSWERS))
                .withRegistry(registry);
        failures = Counter.builder("holdfast.client.acquire.failures")
                .description("Calls for a lock that ended without an answer")
                .withRegistry(registry);
        held = Timer.builder("holdfast.client.held.duration")
                .description("How long released locks had been held")
                .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.HOLDS))
                .withRegistry(registry);
        lost = Counter.builder("holdfast.client.lost")
                .description("Leases lost while they were in use")
                .withRegistry(registry);
    }

    /** Measures into this registry. */
    public static HoldfastMetrics on(MeterRegistry registry) {
        return new HoldfastMetrics(registry, Optional.empty());
    }

    /**
     * The same, with one more tag {@code lock} whose value this function gives, such as the part of the lock's name that says what it is
     * for. The first 1 000 values have meters of their own; all others share {@code other}.
     */
    public HoldfastMetrics withLockTag(Function<LockKey, String> value) {
        return new HoldfastMetrics(registry, Optional.of(value));
    }

    /**
     * Makes the meters of these namespaces now, with zero, so that an alert on them works before anything has happened. With a tag for the
     * lock, its value is {@code none}: call this after {@link #withLockTag}.
     *
     * @return this
     */
    public HoldfastMetrics startAtZero(String... names) {
        for (String name : names) {
            Tags tags = tags(namespaces.of(name), lock.map(unused -> "none"));
            List.of("granted", "busy").forEach(outcome -> acquire.withTags(tags.and("outcome", outcome)));
            Failure.ALL.forEach(reason -> failures.withTags(tags.and("reason", reason.name())));
            held.withTags(tags);
            for (LostReason reason : LostReason.values()) {
                lost.withTags(tags.and("reason", name(reason)));
            }
        }
        return this;
    }

    // ---- what is heard

    @Override
    public void acquired(Lease lease, Duration waited) {
        acquire.withTags(tags(lease.key()).and("outcome", "granted")).record(waited);
    }

    @Override
    public void busy(LockKey key, Duration waited) {
        acquire.withTags(tags(key).and("outcome", "busy")).record(waited);
    }

    @Override
    public void failed(LockKey key, Throwable failure) {
        failures.withTags(tags(key).and("reason", Failure.of(failure).name())).increment();
    }

    @Override
    public void lost(LockKey key, LostReason reason) {
        lost.withTags(tags(key).and("reason", name(reason))).increment();
    }

    @Override
    public void released(LockKey key, Duration duration) {
        held.withTags(tags(key)).record(duration);
    }

    private Tags tags(LockKey key) {
        return tags(namespaces.of(key.namespace()), lock.map(value -> locks.of(value.apply(key))));
    }

    private static Tags tags(String namespace, Optional<String> lock) {
        Tags tags = Tags.of("namespace", namespace);
        return lock.map(value -> tags.and("lock", value)).orElse(tags);
    }

    private static String name(LostReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** What failures are called, by names that stay when classes are renamed. */
    private record Failure(Class<?> kind, String name) {
        /** The first that fits counts. */
        static final List<Failure> ALL = List.of(
                new Failure(StoreUnavailableException.class, "unavailable"),
                new Failure(OutcomeUnknownException.class, "outcome_unknown"),
                new Failure(AccessRefusedException.class, "refused"),
                new Failure(StoreException.class, "unusable"),
                new Failure(LeaseLostException.class, "ended"),
                new Failure(ClientClosedException.class, "closed"),
                new Failure(InterruptedException.class, "cancelled"),
                new Failure(CancellationException.class, "cancelled"),
                new Failure(Throwable.class, "error"));

        static Failure of(Throwable failure) {
            return ALL.stream()
                    .filter(one -> one.kind.isInstance(failure))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
