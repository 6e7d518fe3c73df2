package dev.holdfast.cli.text;

import dev.holdfast.cli.text.ExitCodes.Codes;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that shows what it found. Those that end in another way than most list their exit codes themselves. */
@Command(exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public abstract class OutputCommand extends PlainCommand {
    @Mixin
    protected Output output;

    /** Does it, and returns the exit code. */
    protected abstract int run() throws IOException, InterruptedException;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        try {
            return run();
        } finally {
            output.out().flush();
        }
    }
}
