package dev.holdfast.guard.local;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A point in time on both clocks. The monotonic one may stand still while a machine is suspended, the wall clock may be set:
 * of two moments, at least as much time lies between as the one says that says less, and at most as the one says that says more.
 */
record ClockReading(Instant wall, long nanos) {
    static ClockReading now(Clock clock, LongSupplier ticker) {
        return new ClockReading(clock.instant(), ticker.getAsLong());
    }

    /** What has certainly passed since. */
    Duration atLeastSince(ClockReading earlier) {
        Duration byWall = Duration.between(earlier.wall, wall);
        Duration byTicker = Duration.ofNanos(nanos - earlier.nanos);
        return byWall.compareTo(byTicker) < 0 ? byWall : byTicker;
    }

    /** What may have passed since. */
    Duration atMostSince(ClockReading earlier) {
        Duration byWall = Duration.between(earlier.wall, wall).abs();
        Duration byTicker = Duration.ofNanos(nanos - earlier.nanos);
        return byWall.compareTo(byTicker) > 0 ? byWall : byTicker;
    }
}
