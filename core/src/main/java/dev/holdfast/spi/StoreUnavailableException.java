package dev.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The store could not be reached, or was too busy, and nothing was changed. Trying again may help. */
public final class StoreUnavailableException extends StoreException {
    private static final long serialVersionUID = 1;

    /** What happened, to which store or lock, and what to do next; and the cause, if there is one. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
