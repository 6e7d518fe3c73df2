package dev.holdfast.engine;

import dev.holdfast.spi.LocalTime;
import java.time.Duration;
import java.time.Instant;

/**
 * A local moment on both clocks of the machine, taken before a request was sent. A lease counts from it.
 *
 * @param nanos on the monotonic clock
 * @param wall on the wall clock
 */
public record Anchor(long nanos, Instant wall) {
    /** Now. */
    public static Anchor of(LocalTime time) {
        return new Anchor(time.nanos(), time.wall());
    }

    /**
     * Whether less than {@code span} has passed since, on both clocks. A machine that slept sees it on the wall clock, one
     * whose clock was set back on the monotonic one.
     */
    public boolean within(Duration span, LocalTime time) {
        return time.nanos() - nanos < span.toNanos()
                && Duration.between(wall, time.wall()).compareTo(span) < 0;
    }
}
