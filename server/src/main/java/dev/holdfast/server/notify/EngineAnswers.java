package dev.holdfast.server.notify;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** EngineAnswers of the engine, for threads that may wait for them. */
final class EngineAnswers {
    private EngineAnswers() {}

    /**
     * The answer; the engine gives one, or fails, within the time of an operation.
     *
     * @throws StoreException if it failed
     */
    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw new OutcomeUnknownException(String.valueOf(e.getCause()), e);
        }
    }
}
