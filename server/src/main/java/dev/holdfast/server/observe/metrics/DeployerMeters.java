package dev.holdfast.server.observe.metrics;

import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;

/**
 * The metrics of namespace {@code deploy} under the names its documents use, by stack, environment and level. What is told of other
 * namespaces is passed over.
 */
final class DeployerMeters {
    /** Stacks times environments with values of their own. */
    static final int MAX_STACKS = 200;

    private final MeterRegistry registry;
    private final BoundedLabels<DeployLockName, MeterPerConstant<DeployLockName.Level, Level>> stacks;
    private final MeterPerConstant<DeployLockName.Level, Level> none;

    DeployerMeters(MeterRegistry registry) {
        this.registry = registry;
        this.none = levels(new DeployLockName("none", "none"));
        this.stacks = new BoundedLabels<>(MAX_STACKS, new DeployLockName("other", "other"), this::levels);
    }

    void acquired(RecordKey key, LockPath path, AcquireOutcome outcome, Duration took) {
        if (outcome == AcquireOutcome.QUEUED) {
            return; // not decided yet: the repeat of the request, or the end of its place, will be
        }
        of(key, path).ifPresent(level -> {
            level.acquisition.record(took);
            level.acquisitionMillis.record(took.toNanos() / 1e6);
            (outcome == AcquireOutcome.GRANTED ? level.success : level.failure).increment();
        });
    }

    void renewed(RecordKey key, LockPath path, RenewalOutcome outcome) {
        of(key, path)
                .map(level -> outcome == RenewalOutcome.RENEWED ? level.heartbeat : level.noHeartbeat)
                .ifPresent(Counter::increment);
    }

    void ended(RecordKey key, LockPath path, Duration held) {
        of(key, path).ifPresent(level -> level.held.record(held));
    }

    void stale(RecordKey key, LockPath path) {
        of(key, path).ifPresent(level -> level.stale.increment());
    }

    private Optional<Level> of(RecordKey key, LockPath path) {
        if (!DeployLockName.isDeploy(key)) {
            return Optional.empty();
        }
        MeterPerConstant<DeployLockName.Level, Level> levels =
                DeployLockName.of(key).map(stacks::of).orElse(none);
        return Optional.of(levels.of(DeployLockName.Level.of(path.value())));
    }

    private MeterPerConstant<DeployLockName.Level, Level> levels(DeployLockName key) {
        return new MeterPerConstant<>(DeployLockName.Level.class, level -> new Level(registry, key, level));
    }

    private static final class Level {
        final Timer acquisition;
        /** In milliseconds, as the documents want it. */
        final DistributionSummary acquisitionMillis;

        final Counter success;
        final Counter failure;
        final Timer held;
        final Counter heartbeat;
        final Counter noHeartbeat;
        final Counter stale;

        Level(MeterRegistry registry, DeployLockName key, String level) {
            Tags tags = Tags.of("Stack", key.stack(), "Environment", key.environment())
                    .and("LockLevel", level);
            acquisition = Timer.builder("holdfast.deployer.lock.acquisition.duration")
                    .description("How long attempts to take a deployment lock took")
                    .tags(tags)
                    .register(registry);
            acquisitionMillis = DistributionSummary.builder("deployer.lock.acquisition.duration")
                    .description("The same as holdfast_deployer_lock_acquisition_duration_seconds, in milliseconds")
                    .baseUnit("milliseconds")
                    .tags(tags)
                    .register(registry);
            success = counter(registry, "acquisition.success", "Deployment locks that were granted", tags);
            failure = counter(
                    registry,
                    "acquisition.failure",
                    "Attempts to take a deployment lock that were refused or failed",
                    tags);
            held = Timer.builder("holdfast.deployer.lock.held.duration")
                    .description("How long deployment locks were held")
                    .tags(tags)
                    .register(registry);
            heartbeat =
                    counter(registry, "heartbeat.success", "Renewals of deployment locks that arrived in time", tags);
            noHeartbeat = counter(
                    registry, "heartbeat.failure", "Renewals of deployment locks that came too late or failed", tags);
            stale = counter(
                    registry,
                    "stale.detected",
                    "Deployment locks that turned stale: not renewed for suspiciously long",
                    tags);
        }

        private static Counter counter(MeterRegistry registry, String name, String description, Tags tags) {
            return Counter.builder("holdfast.deployer.lock." + name)
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }
    }
}
