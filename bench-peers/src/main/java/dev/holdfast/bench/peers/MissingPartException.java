package dev.holdfast.bench.peers;

/** Something a measurement needs is not there; what it would have measured is left out, with this reason. */
final class MissingPartException extends Exception {
    private static final long serialVersionUID = 1;

    MissingPartException(String reason) {
        super(reason);
    }
}
