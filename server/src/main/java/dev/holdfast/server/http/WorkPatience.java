package dev.holdfast.server.http;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody still waits for a piece of work. The work asks between its steps; while it only computes it may be interrupted, but
 * never while it reads a store, which an interrupt could leave with a closed file.
 */
public final class WorkPatience {
    static final Problem GONE =
            Problem.of(503, "busy", "The caller no longer waits for this").retryAfter(Duration.ofSeconds(1));
    static final Problem TOO_LONG = Problem.of(
                    503, "too-slow", "This took too long and was given up. Ask for less, or ask again later")
            .retryAfter(Duration.ofSeconds(5));

    private @Nullable Problem over; // guarded by this, as the rest
    private @Nullable Thread computing;

    /** Goes on only if somebody still waits. */
    public synchronized void check() {
        if (over != null) {
            throw over.refused();
        }
    }

    /** A step that only computes, and may be interrupted. */
    public <T> T computing(Callable<T> step) throws Exception {
        synchronized (this) {
            check();
            computing = Thread.currentThread();
        }
        try {
            return step.call();
        } finally {
            synchronized (this) {
                computing = null;
                if (Thread.interrupted()) { // must not reach the next one's work
                    over = over == null ? TOO_LONG : over;
                }
            }
        }
    }

    synchronized void end(Problem why) {
        if (over == null) {
            over = why;
        }
        if (computing != null) {
            computing.interrupt();
        }
    }

    <T> T during(Blocking.Work<T> work) throws Exception {
        check();
        return work.answer(this);
    }
}
