package dev.holdfast.guard;

/** No app is registered under this name. */
public final class UnknownAppException extends RuntimeException {
    public UnknownAppException(String app) {
        super("No app '" + Registration.shown(app) + "' is registered. See which are: holdfast guard apps");
    }
}
