package dev.holdfast.spi.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A local moment on both clocks of the machine, taken before a request was sent. Leases and measurements count from it.
 *
 * @param nanos on the monotonic clock
 * @param wall on the wall clock
 */
public record Anchor(long nanos, Instant wall) {
    /** How far the two clocks may move against each other before it means a sleep or a step. */
    private static final Duration DISAGREEMENT = Duration.ofMillis(20);
    /** The two clocks cannot be read at once; readings further apart than this are taken again. */
    private static final long TOGETHER = 200_000;

    private static final int READINGS = 4;
    /** More seconds than fit into a monotonic clock. */
    private static final long NEVER_PASSES = Long.MAX_VALUE / 1_000_000_000L;

    /** Now. */
    public static Anchor of(LocalTime time) {
        for (int i = 1; ; i++) {
            long before = time.nanos();
            Instant wall = time.wall();
            if (time.nanos() - before < TOGETHER || i == READINGS) {
                return new Anchor(before, wall);
            }
        }
    }

    /**
     * Whether less than {@code span} has passed since, on both clocks. A machine that slept sees it on the wall clock, one
     * whose clock was set back on the monotonic one.
     */
    public boolean within(Duration span, LocalTime time) {
        boolean ticks = span.toSeconds() >= NEVER_PASSES || time.nanos() - nanos < span.toNanos();
        return ticks && Duration.between(wall, time.wall()).compareTo(span) < 0;
    }

    /** Whether both clocks agree on how long ago this was: the machine did not sleep, and nobody set its clock. */
    public boolean agreesWith(Anchor later) {
        Duration byWall = Duration.between(wall, later.wall);
        Duration byTicks = Duration.ofNanos(later.nanos - nanos);
        return byWall.minus(byTicks).abs().compareTo(DISAGREEMENT) < 0;
    }
}
