package dev.holdfast.cli;

/** What was asked for was understood and not done; the message says why to people, the exit code to scripts. */
class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CommandException(String message) {
        this(message, ExitCodes.FAILURE);
    }

    CommandException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
