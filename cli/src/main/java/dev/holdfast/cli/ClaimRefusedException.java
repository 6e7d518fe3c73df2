package dev.holdfast.cli;

import dev.holdfast.state.Refused;

/** A lock was taken, and another has claimed what it protects; says who, or what is wrong. */
final class ClaimRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    ClaimRefusedException(Refused refused) {
        super(refused.message());
        this.exitCode = StateText.code(refused);
    }

    int exitCode() {
        return exitCode;
    }
}
