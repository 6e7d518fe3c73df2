package dev.holdfast.cli.guard;

import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.serve.StoreGuard;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.client.ServerGuard;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.UnknownAppException;
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

    abstract int ask(Guard guard) throws InterruptedException;

    /** Whether it only tells what would be done: then a store that is not there is not made for it. */
    boolean isDry() {
        return false;
    }

    /** Reads what was given, before anything is opened. */
    void prepare() {}

    @Override
    protected final int run() throws InterruptedException {
        prepare();
        Optional<String> store = target.store();
        try {
            if (store.isEmpty()) {
                try (Guard guard = ServerGuard.connect(target.servers(), Operator.config())) {
                    return ask(guard);
                }
            }
            if (isDry() && StoreFile.isMissing(store.get())) {
                throw new CommandException(
                        "There is no file '" + StoreFile.path(store.get()) + "'. Look at --store (HOLDFAST_STORE)");
            }
            try (StoreGuard here = new StoreGuard(store.get(), config)) {
                return ask(here.guard());
            }
        } catch (UnknownAppException | IllegalArgumentException e) { // what the guard refuses
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (GuardBusyException e) { // nothing was done, and later it may be: as if a server had been too busy
            throw new CommandException(String.valueOf(e.getMessage()), ExitCodes.UNREACHABLE);
        }
    }
}
