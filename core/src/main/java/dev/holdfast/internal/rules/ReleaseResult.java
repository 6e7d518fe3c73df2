package dev.holdfast.internal.rules;

/** Answers to {@link Command.Release} and {@link Command.Withdraw}. Both mean that the lease is not held any more. */
public enum ReleaseResult {
    /** It held or waited, and does so no longer. */
    RELEASED,
    /** It neither held nor waited; nothing was changed. */
    NOT_HELD
}
