package dev.holdfast.internal.engine.machine;

/** What the thread of a caller may be used for. */
public enum Calling {
    /** It waits for the answer anyway, and may go to the store itself: that saves a hop to another thread. */
    BLOCKING,
    /** It goes on: nothing may block it. */
    ASYNC
}
