package dev.holdfast.state.versions;

import dev.holdfast.state.document.StateInvalidException;

/** What was to be saved is larger than allowed. Nothing was changed. */
public final class StateTooLargeException extends StateInvalidException {
    private static final long serialVersionUID = 1;

    private final long limit;

    public StateTooLargeException(Stack stack, long size, long limit) {
        super("State of stack '" + stack + "' has " + size + " bytes; at most " + limit
                + " are kept. Raise the limit, or split the stack");
        this.limit = limit;
    }

    /** The limit, in bytes. */
    public long limit() {
        return limit;
    }
}
