package dev.holdfast.state.store;

import dev.holdfast.internal.parts.Uninterruptibly;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for the lock client, whose answers come in bounded time. */
public final class Answers {
    private Answers() {}

    /** The answer, or its failure as it is. An interrupt is left for the caller to see: half a check is no check. */
    public static <T> T of(CompletionStage<T> stage) {
        try {
            return Uninterruptibly.get(stage);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the lock client failed", e.getCause());
        }
    }
}
