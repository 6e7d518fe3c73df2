package dev.holdfast.model;

import java.util.Locale;

/** What can happen to a lock, and to what it protects. */
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
    STALE,
    /** A new version of the state it protects was saved. */
    STATE_SAVED,
    /** A save of that state was refused. */
    STATE_REFUSED,
    /** An earlier version of that state was made the current one. */
    STATE_RESTORED,
    /** That state was deleted. */
    STATE_DELETED,
    /** It was decided whether the resource it protects may be stopped or started. */
    GUARD_DECISION,
    /** An app was registered, or its registration changed. */
    GUARD_REGISTERED,
    /** An app was forgotten. */
    GUARD_UNREGISTERED,
    /** Somebody said that an app no longer needs its databases. */
    GUARD_STOP,
    /** Somebody said that an app is about to need its databases. */
    GUARD_START,
    /** An API token was made. */
    TOKEN_CREATED,
    /** An API token was withdrawn. */
    TOKEN_REVOKED,
    /** What had expired or was no longer needed was cleaned up. */
    CLEANUP_DONE,
    /** The store, and with it this hold if there is one, came back from a backup. */
    STORE_RESTORED;

    private final String label = named(name().toLowerCase(Locale.ROOT));

    /** The public name, such as {@code lock.acquired}. */
    public String label() {
        return label;
    }

    /** Whether it is not about the lock itself but was recorded by its user, with a {@link Note}. */
    public boolean isNote() {
        return !label.startsWith("lock.");
    }

    private static String named(String lower) {
        int area = lower.indexOf('_');
        return area < 0 ? "lock." + lower : lower.substring(0, area) + "." + lower.substring(area + 1);
    }
}
