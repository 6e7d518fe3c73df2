package dev.holdfast.engine.machine;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/** All an engine gets from the outside world besides its store: time, timers, threads, randomness. */
public interface Machine {
    /** The clocks. */
    LocalTime time();

    /** Runs the task soon, on a thread that may block. */
    void run(Runnable task);

    /** Runs foreign code (listeners, continuations) soon, apart from the engine's own work. */
    void tell(Runnable task);

    /** Runs the task after this long, on a thread that must not block. */
    Timer after(Duration delay, Runnable task);

    /** 64 bits nobody can guess. */
    long random();

    /** Ends threads and timers; tasks not yet started are dropped. */
    void close();

    /** A task that has yet to run. */
    interface Timer {
        /** Takes it back, unless it has started. */
        void cancel();
    }
}
