package dev.holdfast.cli;

/** What the exit code of a command means to a script. */
final class ExitCodes {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    /** Something that cannot be undone was asked for, and not confirmed. */
    static final int NOT_CONFIRMED = 5;
    /** A check was made, and its answer is no. */
    static final int CHECK_SAID_NO = 6;
    /** The store cannot be reached. */
    static final int UNREACHABLE = 69;

    private ExitCodes() {}
}
