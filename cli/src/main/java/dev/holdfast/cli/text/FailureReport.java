package dev.holdfast.cli.text;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockBusyException;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.versions.StateCorruptException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Why a command did not do its work: one line on standard error, and the exit code that says it to a script. */
public final class FailureReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        int code = code(failure);
        if (failure instanceof FileSystemException file) {
            command.getErr().println("holdfast: '" + file.getFile() + "' cannot be used: " + FileProblem.why(file));
            return ExitCodes.FAILURE;
        }
        if (code == 0) {
            throw failure; // a defect: with its stack
        }
        command.getErr().println("holdfast: " + FailureMessage.of(String.valueOf(failure.getMessage())));
        return code;
    }

    /** The exit code that says this; 0 for a defect. */
    public static int code(Exception failure) {
        if (failure instanceof LockBusyException) {
            return ExitCodes.BUSY;
        }
        if (failure instanceof LeaseLostException) {
            return ExitCodes.LOST;
        }
        if (failure instanceof IllegalArgumentException) {
            return ExitCodes.USAGE;
        }
        if (failure instanceof AccessRefusedException) {
            return ExitCodes.REFUSED;
        }
        if (failure instanceof StoreUnavailableException || failure instanceof StoreUnusableException) {
            return ExitCodes.UNREACHABLE;
        }
        if (failure instanceof CommandException told) {
            return told.exitCode();
        }
        return failure instanceof StoreException || failure instanceof StateCorruptException ? ExitCodes.FAILURE : 0;
    }
}
