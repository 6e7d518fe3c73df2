package dev.holdfast.server.guard;

import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.local.GuardMeter;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.observe.metrics.AcquireOutcome;
import dev.holdfast.server.observe.metrics.DatabaseStop;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.tracing.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts and traces what the guard decides. */
public record GuardMeters(Meters meters, Tracing tracing) implements GuardMeter {
    private static final LockKey ANY = LockKey.of(GuardRoutes.NAMESPACE, "LOCK#DB");

    @Override
    public void decided(GuardDecision decision) {
        meters.decided(decision.outcome().label());
        counted(decision.outcome()).ifPresent(kind -> meters.databaseStop(decision.dbIdentifier(), kind));
        if (decision.outcome() == GuardOutcome.STOPPED && decision.recordedOnly()) {
            meters.databaseStop(decision.dbIdentifier(), DatabaseStop.RECORDED_ONLY);
        }
        // It began when the first app was looked at.
        Instant began = decision.evidence().stream()
                .map(Evidence::checkedAt)
                .filter(decision.at()::isAfter)
                .min(Instant::compareTo)
                .orElse(decision.at());
        tracing.decided(
                began,
                decision.fencingToken(),
                Map.of(
                        "db_identifier", decision.dbIdentifier(),
                        "decision", decision.outcome().label(),
                        "app", decision.app(),
                        "recorded_only", Boolean.toString(decision.recordedOnly()),
                        "reason", decision.reason()));
    }

    /** Both have the same names; what is pending or started is not counted. */
    private static Optional<DatabaseStop> counted(GuardOutcome outcome) {
        return Stream.of(DatabaseStop.values())
                .filter(kind -> kind.name().equals(outcome.name()))
                .findFirst();
    }

    @Override
    public void lockAsked(int retries, Duration took, boolean acquired) {
        meters.acquired(ANY, acquired ? AcquireOutcome.GRANTED : AcquireOutcome.BUSY, took);
        meters.guardLockAsked(retries);
        for (int i = 0; i < retries; i++) {
            meters.retried(ANY.record());
        }
    }
}
