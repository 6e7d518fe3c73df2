package dev.holdfast.cli.text;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints as it likes; what has {@code -o} is an {@link OutputCommand}. */
@Command(mixinStandardHelpOptions = true)
public abstract class PlainCommand implements Callable<Integer> {
    @Spec
    protected CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** To throw, for what is wrong on the command line. */
    protected final ParameterException mistake(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    /** Throws it, if something is wrong. */
    protected final void refuse(Optional<String> problem) {
        problem.ifPresent(what -> {
            throw mistake(what);
        });
    }
}
