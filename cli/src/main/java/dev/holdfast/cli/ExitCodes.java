package dev.holdfast.cli;

/** What the exit code of a command means to a script. */
final class ExitCodes {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    /** The lock is not held by whom the command is about. */
    static final int NOT_HELD = 3;
    /** The server does not know who asks, or does not allow it. */
    static final int REFUSED = 4;
    /** Something that cannot be undone was asked for, and not confirmed. */
    static final int NOT_CONFIRMED = 5;
    /** A check was made, and its answer is no. */
    static final int CHECK_SAID_NO = 6;
    /** The store or server cannot be reached. */
    static final int UNREACHABLE = 69;
    /** Another holds the lock, and it was not free in time. */
    static final int BUSY = 75;
    /** The lease was lost while it was needed. */
    static final int LOST = 76;

    private ExitCodes() {}
}
