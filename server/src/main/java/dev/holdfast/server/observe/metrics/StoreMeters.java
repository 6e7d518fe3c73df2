package dev.holdfast.server.observe.metrics;

import dev.holdfast.internal.engine.machine.EngineMeter.Operation;
import dev.holdfast.micrometer.DurationBuckets;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.LongSupplier;

/** How the store answers. */
final class StoreMeters {
    private final MeterPerConstant<Operation, Timer> durations;
    private final MeterPerConstant<Operation, Counter> failures;
    private final DistributionSummary batches;

    StoreMeters(MeterRegistry registry, LongSupplier eventsLost) {
        durations = new MeterPerConstant<>(
                Operation.class,
                operation -> Timer.builder("holdfast.store.duration")
                        .description("How long the store took to answer")
                        .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.ANSWERS))
                        .tag("operation", operation)
                        .register(registry));
        failures = new MeterPerConstant<>(
                Operation.class,
                operation -> Counter.builder("holdfast.store.failures")
                        .description("Requests the store failed to answer")
                        .tag("operation", operation)
                        .register(registry));
        batches = DistributionSummary.builder("holdfast.store.write.batch.size")
                .description("Records written together in one request")
                .register(registry);
        FunctionCounter.builder("holdfast.store.events.lost", eventsLost, LongSupplier::getAsLong)
                .description("Events that could not be kept in the history; their locks are not affected")
                .register(registry);
    }

    void stored(Operation operation, int rows, Duration took, boolean failed) {
        durations.of(operation).record(took);
        if (failed) {
            failures.of(operation).increment();
        }
        if (operation == Operation.WRITE) {
            batches.record(rows);
        }
    }
}
