package dev.holdfast.cli.guard;

import dev.holdfast.cli.serve.LocalGuard;
import dev.holdfast.cli.target.ServerCalls;
import dev.holdfast.cli.target.Target;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the guard is that a command is about. */
final class GuardTarget {
    @Mixin
    private Target target;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "With --store: the settings of the guard, its actuators too; default holdfast.yaml, if there is"
                            + " one here.")
    private Optional<Path> config = Optional.empty();

    Guards open() {
        Optional<String> store = target.store();
        if (store.isEmpty()) {
            return new ServerGuards(new ServerCalls(target.servers()));
        }
        return new StoreGuards(new LocalGuard(store.get(), config));
    }
}
