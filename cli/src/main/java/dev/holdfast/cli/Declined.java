package dev.holdfast.cli;

/** What was asked for was understood and not done; the message says why. */
final class Declined extends RuntimeException {
    Declined(String message) {
        super(message);
    }
}
