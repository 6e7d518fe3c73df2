package dev.holdfast.internal.engine.machine;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store took the last writes it was sent. A store may answer reads, and refuse conditions, while it can write nothing:
 * a full disk, a throttled table, a server that went read-only. Only a write that was made shows that it can. Safe for any thread.
 */
public final class WriteHealth {
    private volatile @Nullable Throwable failing;
    private final LongAdder made = new LongAdder();

    void failed(Throwable why) {
        failing = why;
    }

    void worked() {
        made.increment();
        if (failing != null) { // most of the time nothing is written here
            failing = null;
        }
    }

    /** Why writes fail; empty if the last one was made, or none was tried. */
    public Optional<Throwable> failing() {
        return Optional.ofNullable(failing);
    }

    /** How many times the store made writes; while it does not grow, nobody knows whether it still would. */
    public long made() {
        return made.sum();
    }
}
