package dev.holdfast.testkit.simulation;

/** A promise was broken. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String promise, String what) {
        super(promise + ": " + what);
    }
}
