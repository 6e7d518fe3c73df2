package dev.holdfast.testkit;

import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for a condition with a limit, so that no test sleeps to be sure and none hangs. */
public final class Await {
    /** Longer than anything a test waits for takes on a slow machine. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    /** So many are close together: most conditions hold at once, or soon after. */
    private static final int FIRST_LOOKS = 20;

    /** Looking takes at most a fifth of the time: some conditions open a connection or ask a server. */
    private static final int PAUSES_PER_LOOK = 4;

    /** What has not happened for a second is seen a little later. */
    private static final long PAUSES_PER_WAIT = 200;

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    /** Returns once the condition holds; fails the test, naming what was waited for, if that takes too long. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    /** The same, with another limit. */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        until(what, limit, condition, () -> "");
    }

    /** The same; in vain, it also says what is known by then. */
    public static void until(String what, Duration limit, BooleanSupplier condition, Supplier<String> known) {
        long start = System.nanoTime();
        long asked = start;
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            long answered = System.nanoTime();
            if (answered - start > limit.toNanos()) {
                throw new AssertionError("waited " + limit + " in vain until " + what + known.get());
            }
            try {
                TimeUnit.NANOSECONDS.sleep(pause(looks, answered - asked, answered - start));
                asked = System.nanoTime();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting until " + what, e);
            }
        }
    }

    private static long pause(int looks, long look, long waited) {
        if (looks < FIRST_LOOKS) {
            return TimeUnit.MICROSECONDS.toNanos(50);
        }
        long pause = Math.max(look * PAUSES_PER_LOOK, waited / PAUSES_PER_WAIT);
        return Math.max(SHORTEST_NANOS, Math.min(pause, LONGEST_NANOS));
    }

    /** Runs on a thread of its own, for calls that wait. */
    public static <T> CompletableFuture<T> onThread(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        DaemonThreads.start("on-thread", () -> {
            try {
                done.complete(work.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** The value of the stage. A failure of the stage is thrown as it is; one that never ends fails the test. */
    public static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("failed with something that is no RuntimeException", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an answer", e);
        }
    }
}
