package dev.holdfast.cli.locks;

import dev.holdfast.cli.target.Target;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The lock a command is about. */
final class LockArgument {
    @Parameters(index = "0", paramLabel = "KEY", description = "Name of the lock.")
    private String name = "";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The whole lock. */
    LockKey key(Target target) {
        return key(target, Optional.empty());
    }

    /** A part of it, if one is named. */
    LockKey key(Target target, Optional<String> path) {
        try {
            return target.key(name, path);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    e.getMessage() + ". Example: " + spec.qualifiedName() + " -N billing invoice-run",
                    e);
        }
    }
}
