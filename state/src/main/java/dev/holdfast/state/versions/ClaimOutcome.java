package dev.holdfast.state.versions;

import dev.holdfast.model.Token;

/** What became of a claim. */
public sealed interface ClaimOutcome permits ClaimOutcome.Claimed, StateRefusal {
    /**
     * From now on no earlier holder can save.
     *
     * @param token the token the document carries now
     */
    record Claimed(Token token) implements ClaimOutcome {}
}
