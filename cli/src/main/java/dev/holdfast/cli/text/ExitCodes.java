package dev.holdfast.cli.text;

public final class ExitCodes {
    public static final int OK = 0;
    public static final int FAILURE = 1;
    public static final int USAGE = 2;
    public static final int NOT_HELD = 3;
    /** The server does not know who asks, or does not allow it. */
    public static final int REFUSED = 4;
    /** Something that cannot be undone was asked for, and not confirmed. */
    public static final int NOT_CONFIRMED = 5;
    /** A check was made, and its answer is no. */
    public static final int CHECK_SAID_NO = 6;

    public static final int UNREACHABLE = 69;
    /** Another holds the lock, and it was not free in time. */
    public static final int BUSY = 75;

    public static final int LOST = 76;

    private ExitCodes() {}
}
