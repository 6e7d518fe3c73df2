package dev.holdfast.cli;

import dev.holdfast.server.GuardSetup;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.GuardSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        List<String> flags = new ArrayList<>();
        config.ifPresent(file -> flags.add("--config=" + file));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("HOLDFAST_STORE"); // what --store names
        flags.add("--store=" + store.get());
        Settings settings = Settings.load(flags, environment, Path.of(""));
        // What nobody configured must not be recorded as stopped: then a server on this store has to judge it.
        Optional<String> actuator = settings.origin(GuardSettings.ACTUATOR).level() == Origin.Level.DEFAULT
                ? Optional.empty()
                : Optional.of(settings.get(GuardSettings.ACTUATOR));
        return new StoreGuards(store.get(), GuardSetup.of(settings), actuator);
    }
}
