package dev.holdfast.guard;

import java.util.Locale;

/** What was decided about a resource. */
public enum GuardOutcome {
    /** It is stopped. */
    STOPPED,
    /** Not stopped: an app needs it. */
    SKIPPED_SHARED_ACTIVE,
    /** Not stopped: nobody can say whether an app needs it, or what would be stopped. */
    SKIPPED_UNKNOWN,
    /** Not judged: somebody else had the lock. The intent stays, and is judged again. */
    SKIPPED_LOCK,
    /** Stored and not done yet: it is under way, or something failed. It is judged again by itself. */
    PENDING,
    /** It runs. */
    STARTED,
    /** It is stopped, and an app needs it: whoever is responsible for that app must know. */
    NEEDED;

    /** Its public name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
