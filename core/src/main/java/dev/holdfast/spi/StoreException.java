package dev.holdfast.spi;

import dev.holdfast.failure.HoldfastException;
import org.jspecify.annotations.Nullable;

/** A store did not do what was asked. The subclass says what became of the request; it is never "busy" and never "free". */
public abstract class StoreException extends HoldfastException {
    private static final long serialVersionUID = 1;

    /** What happened, to which store or lock, and what to do next; and the cause, if there is one. */
    protected StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
