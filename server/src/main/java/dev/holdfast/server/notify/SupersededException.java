package dev.holdfast.server.notify;

/** Another sender has taken over since: this one must stop, whatever its lease says. */
final class SupersededException extends Exception {
    private static final long serialVersionUID = 1;

    SupersededException(String message) {
        super(message);
    }
}
