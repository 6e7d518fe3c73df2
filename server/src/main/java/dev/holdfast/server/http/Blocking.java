package dev.holdfast.server.http;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for what blocks, such as reading documents: so many, and so many that wait for one; the rest hear to come back. */
public final class Blocking implements AutoCloseable {
    private final ThreadPoolExecutor threads;

    /** So many threads, and room for so many to wait for one. */
    public Blocking(String name, int threads, int waiting) {
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waiting), work -> {
                    Thread thread = new Thread(work, "holdfast-" + name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** Does it on one of them; what it throws is the failure. */
    public <T> CompletableFuture<T> run(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    done.complete(work.call());
                } catch (Exception | Error e) { // whatever it is, the caller hears it
                    done.completeExceptionally(e instanceof RuntimeException ? e : new CompletionException(e));
                }
            });
        } catch (RejectedExecutionException e) {
            throw Problem.of(503, "busy", "Too much is under way. Nothing was changed; try again")
                    .retryAfter(Duration.ofSeconds(1))
                    .refused();
        }
        return done;
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
