package dev.holdfast.test.machine;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * The clocks of a machine, standing still until a test moves them. {@link #advance} moves both, as time does;
 * {@link #stepWall} only the one that people set. Safe for any thread.
 */
public final class SettableClock implements LocalTime {
    private long nanos;
    private Instant wall;
    private final Consumer<Duration> elsewhere;

    /** Both clocks at rest, the wall clock showing this. */
    public SettableClock(Instant wall) {
        this(wall, passed -> {});
    }

    /**
     * The same, moving a server's clock too: {@code elsewhere} is told how much time has passed since the start, while nobody
     * can read this one, so nobody sees them apart.
     */
    public SettableClock(Instant wall, Consumer<Duration> elsewhere) {
        this.wall = wall;
        this.elsewhere = elsewhere;
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
        elsewhere.accept(Duration.ofNanos(nanos));
    }

    /** Steps the wall clock forward or back. */
    public synchronized void stepWall(Duration by) {
        wall = wall.plus(by);
    }
}
