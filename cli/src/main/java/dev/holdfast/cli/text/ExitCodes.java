package dev.holdfast.cli.text;

import java.util.List;

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

    /** What the help of commands says about them. */
    public static final class Codes {
        public static final String OK = "0:Done.";
        public static final String FAILURE = "1:It did not work; the reason is on standard error.";
        public static final String USAGE = "2:The command line or a setting is wrong.";
        public static final String REFUSED = "4:The server does not recognise you, or does not allow this.";
        public static final String NOT_CONFIRMED = "5:Not confirmed; nothing was done.";
        public static final String UNREACHABLE = "69:The server or store cannot be reached.";
        public static final String BUSY = "75:Somebody else holds it; it was not free in time.";
        public static final String LOST = "76:The acquisition with this lease id has already ended.";

        /** Stands for those of most commands; what is listed beside it replaces the one of its number. */
        public static final String USUAL = "usual:";

        public static final List<String> OF_MOST = List.of(OK, FAILURE, USAGE, REFUSED, UNREACHABLE);

        private Codes() {}
    }
}
