package dev.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The request may or may not have been applied. Read again; do not guess. */
public final class OutcomeUnknownException extends StoreException {
    private static final long serialVersionUID = 1;

    /** What happened, to which store or lock, and what to do next; and the cause, if there is one. */
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
