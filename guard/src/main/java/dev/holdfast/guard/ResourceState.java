package dev.holdfast.guard;

/** What a resource is doing. */
public enum ResourceState {
    /** It can be used. */
    RUNNING,
    /** It is on its way to stopped. */
    STOPPING,
    /** It is stopped. */
    STOPPED,
    /** It is on its way to running. */
    STARTING,
    /** Nobody can say. */
    UNKNOWN
}
