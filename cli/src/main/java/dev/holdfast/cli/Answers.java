package dev.holdfast.cli;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for answers; what failed is thrown as it was. */
final class Answers {
    private Answers() {}

    static <T> T of(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
