package dev.holdfast.model;

import java.util.Locale;

/** What can happen to a lock. */
public enum EventType {
    /** Granted. */
    ACQUIRED,
    /** Given back by its holder. */
    RELEASED,
    /** Ended because it was not renewed in time. */
    EXPIRED,
    /** Given up by its own engine: it could not be renewed, or its caller could not be told. */
    LOST,
    /** Ended by an operator. */
    FORCED,
    /** Joined the queue. */
    QUEUED,
    /** Left the queue without having held. */
    ABANDONED,
    /** Not renewed for suspiciously long; still held. */
    STALE;

    /** The public name, such as {@code lock.acquired}. */
    public String label() {
        return "lock." + name().toLowerCase(Locale.ROOT);
    }
}
