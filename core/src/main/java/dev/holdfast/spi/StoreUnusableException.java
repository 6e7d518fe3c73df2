package dev.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The store refuses for a reason that trying again does not fix (permission, damage, foreign or newer data). Nothing was changed. */
public final class StoreUnusableException extends StoreException {
    private static final long serialVersionUID = 1;

    /** What happened, to which store or lock, and what to do next; and the cause, if there is one. */
    public StoreUnusableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
