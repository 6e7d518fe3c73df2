package dev.holdfast.wire.json;

/** What should be JSON is none. The message says where, never what stands there. */
public final class InvalidJsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    InvalidJsonException(String message) {
        super(message);
    }
}
