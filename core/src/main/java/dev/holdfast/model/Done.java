package dev.holdfast.model;

import java.time.Instant;

/**
 * A completed generation of once-only work: what those who skip it can verify.
 *
 * @param generation which generation was completed
 * @param by who did it
 * @param token under which fencing token
 * @param at store time of the completion
 */
public record Done(String generation, String by, Token token, Instant at) {
    /** Checks the texts. */
    public Done {
        Names.text("generation", generation, 1);
        Names.text("owner", by, 1);
    }
}
