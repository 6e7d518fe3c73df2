package dev.holdfast.server.http;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.model.Cause;
import dev.holdfast.server.observe.load.CurrentRequest;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads for what blocks, such as reading documents: so many, and so many that wait for one; the rest hear to come back. Of one caller
 * at most a share is under way or waits, so that the others find a place.
 */
public final class Blocking implements AutoCloseable {
    static final Problem BUSY = Problem.of(503, "busy", "The server has too much to do. Nothing was changed; try again")
            .retryAfter(Duration.ofSeconds(1));
    static final Problem OWN_SHARE = Problem.of(
                    503, "busy", "Too many requests of this caller are in progress. Nothing was changed; try again")
            .retryAfter(Duration.ofSeconds(1));

    private final ThreadPoolExecutor threads;
    private final Shares shares;

    /** So many threads, and room for so many to wait for one. */
    public Blocking(String name, int threads, int waiting) {
        this(name, threads, waiting, threads + waiting);
    }

    /** The same, with a limit on what one caller has under way or waiting. */
    public Blocking(String name, int threads, int waiting, int each) {
        this.shares = new Shares(each);
        this.threads = new ThreadPoolExecutor(
                threads,
                threads,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(waiting),
                DaemonThreads.numbered("holdfast-" + name));
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** Does it on one of them; what it throws is the failure. */
    public <T> CompletableFuture<T> run(Callable<T> work) {
        return run("", work);
    }

    /** The same for this caller; see {@link Call#share()}. */
    <T> CompletableFuture<T> run(String share, Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        start(share, () -> answer(done, work));
        return done;
    }

    public <T> CompletableFuture<T> run(Call call, Callable<T> work) {
        Cause cause = call.cause(); // here, on the call's own thread
        return run(call.share(), () -> CurrentRequest.during(cause, work));
    }

    @FunctionalInterface
    public interface Work<T> {
        /** The answer; looks at its patience between its steps. */
        T answer(WorkPatience patience) throws Exception;
    }

    /** Does it for this call, but for no longer than this, and no longer than its client waits. */
    public <T> CompletableFuture<T> run(Call call, Duration limit, Work<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        WorkPatience patience = new WorkPatience();
        Cause cause = call.cause();
        Runnable task = start(
                call.share(), () -> answer(done, () -> CurrentRequest.during(cause, () -> patience.during(work))));
        call.ifGone(() -> giveUp(patience, task, done, WorkPatience.GONE));
        StageContinuation.then(done.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS), (value, failure) -> {
            if (failure instanceof TimeoutException) {
                giveUp(patience, task, done, WorkPatience.TOO_LONG);
            }
        });
        return done;
    }

    private void giveUp(WorkPatience patience, Runnable task, CompletableFuture<?> done, Problem why) {
        if (done.completeExceptionally(why.refused())) { // before the work is interrupted, which would answer with that
            patience.end(why);
            if (threads.remove(task)) {
                task.run(); // tells itself that it is over, and gives its share back
            }
        }
    }

    private static <T> void answer(CompletableFuture<T> done, Callable<T> work) {
        try {
            done.complete(work.call());
        } catch (Exception | Error e) { // whatever it is, the caller hears it
            done.completeExceptionally(e instanceof RuntimeException ? e : new CompletionException(e));
        }
    }

    private Runnable start(String share, Runnable work) {
        if (!shares.take(share)) {
            throw OWN_SHARE.refused();
        }
        Runnable task = () -> {
            try {
                work.run();
            } finally {
                shares.giveBack(share);
            }
        };
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            shares.giveBack(share);
            throw BUSY.refused();
        }
        return task;
    }

    /** Takes nothing more, and waits this long for what is under way. */
    public void close(Duration grace) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }
}
