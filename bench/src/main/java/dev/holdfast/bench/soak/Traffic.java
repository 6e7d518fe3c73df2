package dev.holdfast.bench.soak;

import dev.holdfast.internal.parts.DaemonThreads;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives activities their turns, so many a second in all. If the server is slower than that, turns are left out and counted: the load never
 * piles up.
 */
final class Traffic implements AutoCloseable {
    private static final int THREADS = 16;

    /** Locks most often; one of each other kind now and then. */
    private static final int[] TURNS = {0, 0, 1, 0, 2, 0, 0, 1, 0, 3, 0, 4};

    private final List<Activity> activities;
    private final SoakTarget target;
    private final long nanosBetween;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(THREADS), DaemonThreads.named("soak"));
    private final AtomicLong leftOut = new AtomicLong();
    private final long[] taken;
    private long number;

    /** Of these: locks, waits, state, guard, looks. */
    Traffic(List<Activity> activities, SoakTarget target, double perSecond) {
        this.activities = activities;
        this.taken = new long[activities.size()];
        this.target = target;
        this.nanosBetween = (long) (1_000_000_000 / perSecond);
    }

    /** Goes on until this moment of {@link System#nanoTime}. */
    void runUntil(long end) throws InterruptedException {
        long next = System.nanoTime();
        while (next - end < 0) {
            long pause = next - System.nanoTime();
            if (pause > 0) {
                TimeUnit.NANOSECONDS.sleep(pause);
            }
            turn();
            next += nanosBetween;
            next = Math.max(next, System.nanoTime() - 1_000_000_000); // what was missed longer ago is not made up for
        }
    }

    private void turn() {
        int kind = TURNS[(int) (number++ % TURNS.length)];
        Activity activity = activities.get(kind);
        long mine = taken[kind]++;
        try {
            threads.execute(() -> {
                try {
                    activity.once(mine);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException e) {
                    target.failed(e.toString());
                }
            });
        } catch (RejectedExecutionException e) {
            leftOut.incrementAndGet();
        }
    }

    long turns() {
        return number - leftOut.get();
    }

    long leftOut() {
        return leftOut.get();
    }

    /** Lets what was begun end. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
