package dev.holdfast.failure;

import org.jspecify.annotations.Nullable;

/**
 * Anything Holdfast throws that is not a mistake in a call: a lock that is busy, a lease that is lost, a store that
 * fails, a client that is closed. Wrong arguments of a call are an {@link IllegalArgumentException}.
 */
public abstract class HoldfastException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What happened, to which lock or store, and what to do next; and the cause, if there is one. */
    protected HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
