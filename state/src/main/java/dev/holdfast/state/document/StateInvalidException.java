package dev.holdfast.state.document;

/** What was to be saved is not a document that can be kept: not JSON, or not what it says it is. Nothing was changed. */
public class StateInvalidException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** What is wrong, where; never the bytes. */
    public StateInvalidException(String message) {
        super(message);
    }
}
