package dev.holdfast.server.observe.metrics;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last count of the locks in use, and when to count again. One count runs at a time, however many ask.
 *
 * <p>A count that failed leaves the one before, for a while; then the values become unknown: a store that cannot be read must
 * not look like a store without locks.
 */
final class Census {
    private static final Logger LOG = LoggerFactory.getLogger(Census.class);

    /** A value this young is good enough when nothing changed here meanwhile: other processes change locks too. */
    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    /** Between the starts of two counts is so many times what one takes, however often is asked: who asks sooner waits. */
    private static final int SHARE = 5;
    /** When an old count is no longer shown. */
    private static final long FORGET = Duration.ofSeconds(60).toNanos();

    private static final Duration GIVE_UP = Duration.ofSeconds(10);

    private final Supplier<CompletionStage<Counts>> source;
    private final LongSupplier nanos;
    private final long rest;
    private final long forget;
    /** Written often, by every grant and release: read before written, so that it costs them nothing. */
    private volatile boolean changed = true;

    private @Nullable CompletableFuture<Void> running;
    private @Nullable Counts last;
    private long startedAt;
    private long countedAt;
    private long took;
    private boolean failing;

    /** @param rest at least so long between two counts, whatever changed */
    Census(Supplier<CompletionStage<Counts>> source, LongSupplier nanos, Duration rest) {
        this.source = source;
        this.nanos = nanos;
        this.rest = rest.toNanos();
        this.forget = Math.max(FORGET, 3 * this.rest);
    }

    /** This process changed a lock: the last count is no longer right. */
    void changed() {
        if (!changed) {
            changed = true;
        }
    }

    /** Counts again if the last count is not fresh; completes, never with a failure, when the values are as good as can be. */
    CompletableFuture<Void> fresh() {
        CompletableFuture<Void> now = running();
        return now == null
                ? countIfOld()
                : now.thenCompose(done -> countIfOld()); // it may have begun before the change
    }

    /** The same, for nobody who waits. */
    void refresh() {
        var unused = fresh(); // never fails
    }

    /** A number of the last count; NaN if there is none that is young enough. */
    synchronized double value(ToLongFunction<Counts> number) {
        return last == null || nanos.getAsLong() - countedAt > forget ? Double.NaN : number.applyAsLong(last);
    }

    /** How old the last count is, in seconds; NaN if there is none. */
    synchronized double age() {
        return last == null ? Double.NaN : (nanos.getAsLong() - countedAt) / 1e9;
    }

    private synchronized @Nullable CompletableFuture<Void> running() {
        return running;
    }

    private CompletableFuture<Void> countIfOld() {
        CompletableFuture<Void> count = new CompletableFuture<>();
        synchronized (this) {
            if (running != null) {
                return running;
            }
            long age = nanos.getAsLong() - startedAt;
            if (last != null && age < rest) {
                return CompletableFuture.completedFuture(null);
            }
            if (last != null && age <= FRESH) {
                if (!changed) {
                    return CompletableFuture.completedFuture(null);
                }
                long wait = Math.min(FRESH, took * SHARE) - age;
                if (wait > 0) {
                    return later(wait).thenCompose(due -> countIfOld());
                }
            }
            running = count;
            changed = false;
            startedAt = nanos.getAsLong();
        }
        return CompletableFuture.completedFuture(source)
                .thenCompose(Supplier::get) // what it throws is a failure, too
                .orTimeout(GIVE_UP.toMillis(), TimeUnit.MILLISECONDS)
                .handle((counts, failure) -> {
                    ended(counts, failure);
                    count.complete(null);
                    return null;
                });
    }

    private static CompletableFuture<Void> later(long wait) {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, Runnable::run));
    }

    private synchronized void ended(@Nullable Counts counts, @Nullable Throwable failure) {
        running = null;
        took = nanos.getAsLong() - startedAt;
        if (counts != null) {
            last = counts;
            countedAt = startedAt;
            failing = false;
        } else if (!failing) {
            failing = true; // said once; the metrics of the store tell how it goes on
            LOG.warn("The locks in use could not be counted for the metrics, trying again: {}", reason(failure));
        }
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause = failure == null ? null : failure.getCause();
        return String.valueOf(cause == null ? failure : cause);
    }
}
