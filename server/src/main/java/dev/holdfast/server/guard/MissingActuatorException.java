package dev.holdfast.server.guard;

/** Nothing here can stop or start a database of the app as its registration says; nothing was done. */
public final class MissingActuatorException extends IllegalArgumentException {
    MissingActuatorException(String message) {
        super(message);
    }
}
