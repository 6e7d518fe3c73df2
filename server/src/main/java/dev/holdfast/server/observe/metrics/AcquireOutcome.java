package dev.holdfast.server.observe.metrics;

import java.util.Locale;

/** How an attempt to acquire was answered. */
public enum AcquireOutcome {
    GRANTED,
    BUSY,
    /** Somebody else holds it, and the caller keeps its place in the queue. */
    QUEUED,
    /** The lease id had ended before, or belongs to another acquisition. */
    LOST,
    /** The store failed, or it is not known what became of the request. */
    ERROR;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
        return label;
    }
}
