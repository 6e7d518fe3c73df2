package dev.holdfast.documents.keys;

/** Bytes do not open with this key: they are damaged, or belong to another. Never says which bytes. */
public final class WrongKeyException extends Exception {
    private static final long serialVersionUID = 1;

    /** With what was tried. */
    public WrongKeyException(String message, Throwable cause) {
        super(message, cause);
    }
}
