package dev.holdfast.server.observe.metrics;

import java.util.Locale;

/** Why somebody was not let in, or not allowed to do what was asked. */
public enum AccessRefusal {
    NO_CREDENTIALS,
    /** What was presented is not accepted: unknown, withdrawn, expired, wrongly signed or unreadable. */
    BAD_CREDENTIALS,
    ROLE,
    /** Asked by a name that this server does not answer to without authentication. */
    HOST,
    /** Sent by a page of another site. */
    ORIGIN;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
