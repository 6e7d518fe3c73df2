package dev.holdfast.test;

import dev.holdfast.Attempt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that ask for a lock and have yet to take it in hand. Until then nobody renews it, and if the test moved the clock by minutes
 * meanwhile, the lock would be lost because the machine was slow to wake a thread. So the clock waits for them. Safe for any thread.
 */
final class AskingThreads {
    /** How long the clock waits for a thread in real time; one that does not come by then is stuck in something else. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private static final long LOOK_NANOS = 20_000;

    /** By thread, the answer it waits for; empty while it asks. */
    private final Map<Thread, Optional<CompletableFuture<?>>> coming = new ConcurrentHashMap<>();

    /** This thread asks for a lock. */
    void asks() {
        coming.put(Thread.currentThread(), Optional.empty());
    }

    void waitsFor(CompletableFuture<?> answer) {
        coming.put(Thread.currentThread(), Optional.of(answer));
    }

    /** This thread has its lease, or gets none. */
    void arrived() {
        coming.remove(Thread.currentThread());
    }

    /** Waits for all other threads that are on their way to a lock they have been granted. */
    void await() {
        if (!coming.isEmpty()) {
            List.copyOf(coming.keySet()).forEach(this::await);
        }
    }

    private void await(Thread thread) {
        long start = System.nanoTime();
        while (isOnItsWay(thread)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                coming.remove(thread);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean isOnItsWay(Thread thread) {
        Optional<CompletableFuture<?>> answer = coming.get(thread);
        return answer != null
                && thread != Thread.currentThread()
                && thread.isAlive()
                && answer.map(AskingThreads::isGranted).orElse(true);
    }

    /** Whether a lock was granted; who hears anything else needs no time. */
    static boolean isGranted(CompletableFuture<?> answer) {
        return answer.isDone() && !answer.isCompletedExceptionally() && answer.join() instanceof Attempt.Done;
    }
}
