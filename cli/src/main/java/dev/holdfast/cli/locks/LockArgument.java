package dev.holdfast.cli.locks;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

final class LockArgument {
    @Parameters(index = "0", paramLabel = "KEY", description = "The lock: [NAMESPACE:]NAME[/PATH].")
    private String name = "";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    String word() {
        return name;
    }

    LockKey key(Target target) {
        return key(target, Optional.empty());
    }

    LockKey key(Target target, Optional<String> path) {
        try {
            return target.key(name, path);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    e.getMessage() + ". Example: " + spec.qualifiedName() + " billing:invoice-run",
                    e);
        }
    }
}
