package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.AcquireResult;
import java.util.concurrent.CompletableFuture;

/** An acquisition under way. */
public interface Acquisition {
    /** Its answer, or the store's failure. Complete it only by {@link #cancel()}. */
    CompletableFuture<Answer<AcquireResult>> answer();

    /**
     * The caller went away: its place in the queue, or the lock if it was granted meanwhile, is given up. No ticket is left
     * behind. What another call of the same acquisition was told to hold stays held.
     */
    void cancel();

    /**
     * The caller went away, and may come back with the same lease id: its place is kept as long as the request said. Without
     * such a place it is {@link #cancel()}.
     */
    void leave();
}
