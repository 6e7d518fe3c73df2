package dev.holdfast.state.terraform;

/** Which locks terraform's force-unlock may end. */
public enum ForcePolicy {
    /** Every lock. */
    ANY,
    /** Only locks that look stale. */
    STALE_ONLY,
    /** None; an operator ends them by {@code POST /v2/locks/force-unlock}. */
    DENY
}
