package dev.holdfast.cli.serve;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.local.GuardMeter;
import dev.holdfast.server.GuardSetup;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.GuardSettings;
import dev.holdfast.server.guard.ConfiguredGuard;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.server.observe.logs.LoggingConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.event.Level;

/** A guard of this process on a store, with the settings that a server on that store would have. */
public final class StoreGuard implements AutoCloseable {
    private final Logging.Output log = quiet();
    private final LockClient locks;
    private final DocumentStore documents;
    private final Guard guard;

    /** Reads this file, or the usual one. */
    public StoreGuard(String store, Optional<Path> config) {
        Settings settings = settings(store, config);
        GuardOptions options = GuardSetup.of(settings);
        // What nobody configured must not be recorded as stopped: then a server on this store has to judge it.
        Optional<String> actuator = settings.origin(GuardSettings.ACTUATOR).level() == Origin.Level.DEFAULT
                ? Optional.empty()
                : Optional.of(settings.get(GuardSettings.ACTUATOR));
        this.locks = opened(
                () -> LockClient.connect(store, ClientConfig.DEFAULT.withConnectWait(Target.PATIENCE)), log::close);
        this.documents = opened(
                () -> DocumentStores.open(options.store().orElse(store), Target.PATIENCE), locks::close, log::close);
        this.guard = opened(
                () -> ConfiguredGuard.start(
                        options,
                        new ConfiguredGuard.Collaborators(
                                locks,
                                documents,
                                Actuators.of(options.actuators(), System.getenv()),
                                actuator,
                                GuardMeter.NONE)),
                documents::close,
                locks::close,
                log::close);
    }

    /** Opens it, or closes what was opened before it. */
    private static <T> T opened(Supplier<T> open, Runnable... below) {
        try {
            return open.get();
        } catch (RuntimeException e) {
            List.of(below).forEach(Runnable::run);
            throw e;
        }
    }

    private static Settings settings(String store, Optional<Path> config) {
        List<String> flags = new ArrayList<>();
        config.ifPresent(file -> flags.add("--config=" + file));
        flags.add("--store=" + store);
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("HOLDFAST_STORE"); // what --store names
        try {
            return Settings.load(flags, environment, Path.of(""));
        } catch (ConfigProblems e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Each step of a decision is a line in the log of a server; here the decision itself is shown. */
    private static Logging.Output quiet() {
        try {
            return Logging.configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.WARN, Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no file
        }
    }

    public Guard guard() {
        return guard;
    }

    @Override
    public void close() {
        guard.close();
        documents.close();
        locks.close();
        log.close();
    }
}
