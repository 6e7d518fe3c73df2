package dev.holdfast.cli.guard;

import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.serve.StoreGuard;
import dev.holdfast.client.ServerGuard;
import dev.holdfast.guard.Guard;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A command that asks the guard of a server or store, and shows the answer. */
abstract class GuardOperation extends TargetCommand {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "With --store: the settings of the guard, its actuators too; default holdfast.yaml, if there is"
                            + " one here.")
    private Optional<Path> config = Optional.empty();

    final GuardAnswers open() {
        Optional<String> store = target.store();
        if (store.isEmpty()) {
            Guard guard = ServerGuard.connect(target.servers(), Operator.config());
            return new GuardAnswers(guard, guard::close);
        }
        StoreGuard here = new StoreGuard(store.get(), config);
        return new GuardAnswers(here.guard(), here::close);
    }
}
