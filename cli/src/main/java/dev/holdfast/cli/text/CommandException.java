package dev.holdfast.cli.text;

/** What was asked for was understood and not done; the message says why to people, the exit code to scripts. */
public class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CommandException(String message) {
        this(message, ExitCodes.FAILURE);
    }

    public CommandException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
