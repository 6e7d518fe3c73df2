package dev.holdfast.server.health;

import dev.holdfast.internal.parts.Causes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tries a part that not everybody needs, at most once in a while however often it is asked; what came of the last time is good until then.
 * Safe for any thread.
 */
final class PartProbe {
    private static final long PATIENCE_MILLIS = 1_500;

    private final HealthPart.Name name;
    private final Supplier<CompletableFuture<HealthPart>> attempt;
    private final long restNanos;
    private final LongSupplier nanos;
    private CompletableFuture<HealthPart> last; // guarded by this, as the rest
    private boolean tried;
    private long triedAt;

    /** @param rest between two attempts */
    PartProbe(
            HealthPart.Name name, Supplier<CompletableFuture<HealthPart>> attempt, Duration rest, LongSupplier nanos) {
        this.name = name;
        this.attempt = attempt;
        this.restNanos = rest.toNanos();
        this.nanos = nanos;
        this.last = CompletableFuture.completedFuture(HealthPart.up(name, "Not tried yet."));
    }

    /** How it stands, tried again if the last time is long ago; never fails, and answers soon. */
    synchronized CompletableFuture<HealthPart> look() {
        long now = nanos.getAsLong();
        if (!tried || (last.isDone() && now - triedAt >= restNanos)) {
            tried = true;
            triedAt = now;
            last = CompletableFuture.completedFuture(attempt)
                    .thenCompose(Supplier::get) // what it throws is a failure, too
                    .exceptionally(failure -> HealthPart.down(name, words(failure)));
        }
        return last.copy()
                .completeOnTimeout(
                        HealthPart.down(name, "it did not answer within " + PATIENCE_MILLIS + " ms"),
                        PATIENCE_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** What came of the last attempt, as far as it is known; tries nothing. */
    synchronized HealthPart known() {
        return last.getNow(HealthPart.up(name, "It is being tried."));
    }

    private static String words(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof TimeoutException ? "it did not answer in time" : String.valueOf(cause.getMessage());
    }
}
