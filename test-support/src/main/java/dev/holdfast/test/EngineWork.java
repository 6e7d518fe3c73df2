package dev.holdfast.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What engines do, one at a time: no clock moves while an engine decides, however slow its thread is. What an engine tells to code of the
 * user (listeners, and what follows answers) is run on the same thread when its work is done: it may use locks, and must not meet an engine
 * in the middle of something. So it has run when {@link FakeLocks#advance} returns. Safe for any thread.
 */
final class EngineWork {
    private final ReentrantLock turn = new ReentrantLock();
    private final ThreadLocal<Deque<Runnable>> told = ThreadLocal.withInitial(ArrayDeque::new);
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    /** Does something in an engine, and then runs what it told. */
    <T> T perform(Supplier<T> work) {
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
            if (!turn.isHeldByCurrentThread()) {
                runAll(told.get());
            }
        }
    }

    void perform(Runnable work) {
        Boolean unused = perform(() -> {
            work.run();
            return true;
        });
    }

    private void runAll(Deque<Runnable> callbacks) {
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            run(next);
        }
    }

    /** Runs it as soon as no engine is at work on this thread. */
    void tell(Runnable callback) {
        if (turn.isHeldByCurrentThread()) {
            told.get().add(callback);
        } else {
            run(callback);
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

    /** What callbacks have thrown so far. */
    List<Throwable> thrown() {
        return List.copyOf(thrown);
    }
}
