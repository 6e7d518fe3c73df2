package dev.holdfast.cli.text;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that shows what it found. Those that end in another way than most list their exit codes themselves. */
@Command(
        mixinStandardHelpOptions = true,
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public abstract class OutputCommand implements Callable<Integer> {
    @Mixin
    protected Output output;

    @Spec
    protected CommandSpec spec;

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

    /** To throw, for what is wrong on the command line. */
    protected final ParameterException mistake(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
