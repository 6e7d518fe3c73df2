package dev.holdfast.server.observe.metrics;

/** How a release was answered. */
public enum ReleaseOutcome {
    /** It was held, or waited for, and is not any more. */
    RELEASED,
    NOT_HELD,
    /** The store failed, or it is not known what became of the request. */
    UNKNOWN
}
