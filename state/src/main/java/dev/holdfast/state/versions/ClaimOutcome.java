package dev.holdfast.state.versions;

import dev.holdfast.model.Token;

/** What became of a claim. */
public sealed interface ClaimOutcome permits ClaimOutcome.Claimed, StateRefusal {
    /** The document carries this token now: from now on no earlier holder can save. */
    record Claimed(Token token) implements ClaimOutcome {}
}
