package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Something on the command line is wrong: says what, and where the help is, instead of pushing it off the screen with help. */
final class UsageMistake implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("holdfast: " + mistake.getMessage());
        UnmatchedArgumentException.printSuggestions(mistake, err);
        err.println("Usage: " + command.getHelp().synopsis("Usage: ".length()).stripTrailing());
        err.println("Help: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return ExitCodes.USAGE;
    }
}
