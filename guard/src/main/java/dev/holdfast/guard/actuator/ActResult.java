package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;

/** What came of stopping or starting. */
public sealed interface ActResult {
    /** It was done, or was so already; with what the resource does now, as read back, and a detail for people. */
    record Done(ResourceState now, String detail) implements ActResult {}

    /** Somebody with a newer token has acted: nothing was done. */
    record Stale(long newerToken) implements ActResult {}

    /** It could not be done, or nobody can say whether it was; with what happened and what to do. */
    record Failed(String what) implements ActResult {}
}
