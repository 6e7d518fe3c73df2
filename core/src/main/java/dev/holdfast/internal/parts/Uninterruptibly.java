package dev.holdfast.internal.parts;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waiting that no interrupt ends: it is left for the caller to see. Only for answers that come in bounded time. */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    /** The answer; its failure is thrown as it is. */
    public static <T> T answer(CompletionStage<T> answer) {
        try {
            return get(answer);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    /** The answer, once it is there. */
    public static <T> T get(CompletionStage<T> answer) throws ExecutionException {
        CompletableFuture<T> future = answer.toCompletableFuture();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
