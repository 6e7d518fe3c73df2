package dev.holdfast.server.observe.metrics;

import java.util.Locale;

/** How a renewal was answered. */
public enum RenewalOutcome {
    RENEWED,
    LOST,
    /** The store failed, or it is not known what became of the request. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
        return label;
    }
}
