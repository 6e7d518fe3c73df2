package dev.holdfast.server.observe;

import dev.holdfast.engine.EngineMeter.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/** How the store answers. */
final class StoreMeters {
    private final Timer[] durations = new Timer[Operation.values().length];
    private final Counter[] failures = new Counter[Operation.values().length];
    private final DistributionSummary batches;

    StoreMeters(MeterRegistry registry) {
        for (Operation operation : Operation.values()) {
            String label = operation.name().toLowerCase(Locale.ROOT);
            durations[operation.ordinal()] = Timer.builder("store.duration")
                    .description("How long the store took to answer")
                    .serviceLevelObjectives(
                            Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1))
                    .tag("operation", label)
                    .register(registry);
            failures[operation.ordinal()] = Counter.builder("store.failures")
                    .description("Requests the store failed to answer")
                    .tag("operation", label)
                    .register(registry);
        }
        batches = DistributionSummary.builder("store.write.batch.size")
                .description("Records written together in one request")
                .register(registry);
    }

    void stored(Operation operation, int rows, Duration took, boolean failed) {
        durations[operation.ordinal()].record(took);
        if (failed) {
            failures[operation.ordinal()].increment();
        }
        if (operation == Operation.WRITE) {
            batches.record(rows);
        }
    }
}
