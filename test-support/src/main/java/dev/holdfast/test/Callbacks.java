package dev.holdfast.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Runs what engines tell to code of the user (listeners, and what follows answers) on the same thread, once the engine's work on it is
 * done: it may use locks, and must not meet an engine in the middle of something. So it has run when {@link FakeLocks#advance} returns.
 * Safe for any thread.
 */
final class Callbacks {
    private static final class Pending {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int depth;
    }

    private final ThreadLocal<Pending> here = ThreadLocal.withInitial(Pending::new);
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    /** Does something in an engine, and then runs what it told. */
    <T> T after(Supplier<T> engineWork) {
        Pending pending = here.get();
        pending.depth++;
        try {
            return engineWork.get();
        } finally {
            pending.depth--;
            if (pending.depth == 0) {
                runAll(pending);
            }
        }
    }

    /** The same without a value. */
    void after(Runnable engineWork) {
        Boolean unused = after(() -> {
            engineWork.run();
            return true;
        });
    }

    private void runAll(Pending pending) {
        for (Runnable next = pending.waiting.poll(); next != null; next = pending.waiting.poll()) {
            run(next);
        }
    }

    /** Runs it as soon as no engine is at work on this thread. */
    void tell(Runnable callback) {
        Pending pending = here.get();
        if (pending.depth == 0) {
            run(callback);
        } else {
            pending.waiting.add(callback);
        }
    }

    /** Runs it now. What it throws stops nobody else, and is kept for the end of the test: an assertion may be in it. */
    void run(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            thrown.add(e);
        }
    }

    /** What they have thrown so far. */
    List<Throwable> thrown() {
        return List.copyOf(thrown);
    }
}
