package dev.holdfast.testkit;

import dev.holdfast.spi.LocalTime;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of a machine, standing still until a test moves them. {@link #advance} moves both, as time does;
 * {@link #stepWall} only the one that people set. Safe for any thread.
 */
public final class SettableClock implements LocalTime {
    private long nanos;
    private Instant wall;

    /** Both clocks at rest, the wall clock showing this. */
    public SettableClock(Instant wall) {
        this.wall = wall;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Instant wall() {
        return wall;
    }

    /** Lets time pass on both clocks. */
    public synchronized void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time '" + time + "' must not be negative: it does not run back");
        }
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Sets the wall clock, as an operator or a time daemon does. */
    public synchronized void setWall(Instant shown) {
        wall = shown;
    }

    /** Steps the wall clock forward or back. */
    public synchronized void stepWall(Duration by) {
        wall = wall.plus(by);
    }
}
