package dev.holdfast.internal.parts;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for what is under way when something is closed. */
public final class LastWait {
    private LastWait() {}

    /** Waits until all have ended, at most so long. An interrupt ends the wait and stays set. Returns why some did not end well. */
    public static Optional<Exception> forAll(Collection<? extends CompletableFuture<?>> all, Duration within) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of(e);
        }
    }
}
