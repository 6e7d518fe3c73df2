package dev.holdfast.spring;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.model.LostReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Holds a lease until a stage is completed. */
final class LockedStage {
    private LockedStage() {}

    /**
     * Completed as the stage is, once the lease is released; with {@link LeaseLostException} if it was lost before. Whoever cancels it cancels
     * the stage.
     */
    static CompletableFuture<@Nullable Object> of(CompletionStage<?> stage, Lease lease) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            CompletionStage<Boolean> release = lease.releaseAsync();
            release.whenComplete((wasHeld, notReleased) -> {
                if (failure != null) {
                    Throwable why = cause(failure);
                    addLoss(why, lease);
                    result.completeExceptionally(why);
                } else if (notReleased != null) {
                    result.completeExceptionally(cause(notReleased));
                } else if (!wasHeld) {
                    result.completeExceptionally(new LeaseLostException(lease.key(), reason(lease)));
                } else {
                    result.complete(value);
                }
            });
        });
        CompletionStage<@Nullable Object> end = result;
        end.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        return result;
    }

    /** Tells with what the work failed with that its lease was lost, if it was. */
    static void addLoss(Throwable failure, Lease lease) {
        lease.lostFor().ifPresent(reason -> failure.addSuppressed(new LeaseLostException(lease.key(), reason)));
    }

    /** Why a lease was not held to its end. */
    static LostReason reason(Lease lease) {
        return lease.lostFor().orElse(LostReason.RELEASED);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
