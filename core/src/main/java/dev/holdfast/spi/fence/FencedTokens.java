package dev.holdfast.spi.fence;

import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that also keeps, for tables beside it, the highest token that wrote under each lock. They only ever rise. */
public interface FencedTokens {
    /**
     * A page of them, by namespace, name and path.
     *
     * @param after only those behind this one
     * @param limit at most this many, 1 to 1000
     */
    CompletionStage<List<FencedToken>> fencedTokens(Optional<FencedToken> after, int limit);

    /** Makes those that are missing and raises those that are lower; none is lowered. Durable when this completes. */
    CompletionStage<Void> raiseFencedTokens(List<FencedToken> tokens);

    /**
     * The highest token that wrote under a lock, or a part of it.
     *
     * @param key the lock
     * @param path the part, as it is stored; empty for the whole lock
     * @param token the highest; {@link Token#NONE} for a row that is only a mark
     */
    record FencedToken(RecordKey key, String path, Token token) {}
}
