package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.report.Goals;
import java.time.Duration;
import java.util.List;

/**
 * How long everything is measured.
 *
 * @param repeats how often each measurement is made, all of them once before any is made again
 * @param limit after which nothing more is begun
 * @param callers how many, uncontended
 * @param cold the first time of a fresh JVM that counts
 * @param warmAfter when a JVM counts as warm
 * @param window how long one measurement takes
 * @param processes how many want one lock
 */
record MeasurementPlan(
        int repeats,
        Duration limit,
        List<Integer> callers,
        Duration cold,
        Duration warmAfter,
        Duration window,
        int processes) {
    /** What the goals are about: under 45 minutes. */
    static final MeasurementPlan FULL = new MeasurementPlan(
            3,
            Duration.ofMinutes(44),
            Goals.CALLERS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            16);

    /** Whether everything works, and a first impression: under five minutes. No JVM is warm by then. */
    static final MeasurementPlan QUICK = new MeasurementPlan(
            1,
            Duration.ofMinutes(4),
            List.of(8, 128),
            Duration.ofMillis(1_500),
            Duration.ofSeconds(3),
            Duration.ofMillis(800),
            4);

    MeasurementPlan with(int otherRepeats, Duration otherLimit) {
        return new MeasurementPlan(otherRepeats, otherLimit, callers, cold, warmAfter, window, processes);
    }

    /** What is left until a JVM that was measured cold is warm. */
    Duration warmUp() {
        return warmAfter.minus(cold);
    }
}
