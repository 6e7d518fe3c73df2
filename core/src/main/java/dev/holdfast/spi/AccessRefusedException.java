package dev.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The caller is not known there, or not allowed to do this. Nothing was changed; trying again does not help, another token may. */
public final class AccessRefusedException extends StoreException {
    private static final long serialVersionUID = 1;

    /** What was refused, by whom, and what to do next; and the cause, if there is one. */
    public AccessRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
