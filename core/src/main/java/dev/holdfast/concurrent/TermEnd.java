package dev.holdfast.concurrent;

/** Why a {@link Term} ended. */
public enum TermEnd {
    /** The lease was lost: another may lead by now. {@link Term#lostFor()} says why. */
    LOST,
    /** {@link Term#resign()} was called. Nobody else leads before the callbacks have returned. */
    RESIGNED,
    /** {@link Candidacy#close()} was called. Nobody else leads before the callbacks have returned. */
    CLOSED,
    /** {@link LeaderListener#elected} threw. Nobody else leads before the callbacks have returned. */
    FAILED
}
