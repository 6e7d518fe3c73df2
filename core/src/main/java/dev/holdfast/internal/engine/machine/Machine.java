package dev.holdfast.internal.engine.machine;

import dev.holdfast.model.LockKey;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** All an engine gets from the outside world besides its store: time, timers, threads, randomness. */
public interface Machine {
    /** The clocks. */
    LocalTime time();

    /** Runs the task soon, on a thread that may block. */
    void run(Runnable task);

    /** Runs foreign code soon, apart from the engine's own work and from what runs in other lanes. After {@link #close()}: at once. */
    void tell(ThreadLane lane, Runnable task);

    /** Foreign code that may block must not keep foreign code of another kind from running. */
    enum ThreadLane {
        /** What callers do with their answers. */
        ANSWERS,
        /** Who is told that its lease is lost. */
        LOSSES,
        /** Who is told of every event. */
        EVENTS
    }

    /** Runs the task after this long, on a thread that must not block. */
    Timer after(Duration delay, Runnable task);

    /**
     * The calling thread is about to block until this answer comes, for a lock it waits for. Where time passes by itself there is nothing to
     * do; a machine whose time a test moves uses the thread for that.
     */
    default void awaited(LockKey key, CompletableFuture<?> answer) {}

    /** Lets the calling thread rest this long, by {@link #time()}. */
    default void pause(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }

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
