package dev.holdfast.cli.text;

import dev.holdfast.cli.text.ExitCodes.Codes;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that shows what it found. Those that end in another way than most list their own exit codes. */
@Command(exitCodeList = Codes.USUAL)
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
