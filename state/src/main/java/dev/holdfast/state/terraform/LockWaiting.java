package dev.holdfast.state.terraform;

import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** How one caller waits for its lock, without a thread of its own: many may wait. */
public interface LockWaiting {
    /** Does what may block, where that does not matter. */
    <T> CompletableFuture<T> work(Supplier<T> work);

    /** Asks for the lock; a caller who may not wait here is answered at once. */
    CompletableFuture<Answer<AcquireResult>> ask(Request request);
}
