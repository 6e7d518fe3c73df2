package dev.holdfast.cli.text;

/** What the help of commands says about their exit codes; the numbers are those of {@link ExitCodes}. */
public final class Codes {
    public static final String OK = "0:Done.";
    public static final String FAILURE = "1:It did not work; the reason is on standard error.";
    public static final String USAGE = "2:The command line or a setting is wrong.";
    public static final String REFUSED = "4:The server does not recognise you, or does not allow this.";
    public static final String NOT_CONFIRMED = "5:Not confirmed; nothing was done.";
    public static final String UNREACHABLE = "69:The server or store cannot be reached.";
    public static final String BUSY = "75:Somebody else holds it; it was not free in time.";
    public static final String LOST = "76:The acquisition with this lease id has already ended.";

    private Codes() {}
}
