package dev.holdfast.cli;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.local.GuardMeter;
import dev.holdfast.guard.local.GuardParts;
import dev.holdfast.guard.local.LocalGuard;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.HttpProber;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.observe.Logging;
import dev.holdfast.server.observe.LoggingConfig;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.event.Level;

/** The guard in a store, without a server: this process judges and acts itself. */
final class StoreGuards implements Guards {
    private final Logging.Output log = quiet();
    private final LockClient locks;
    private final DocumentStore documents;
    private final HttpProber prober;
    private final Guard guard;

    /** With the actuator of databases that name none; empty if nobody configured one for this process. */
    StoreGuards(String store, GuardOptions options, Optional<String> actuator) {
        this.locks = LockClient.connect(store, ClientConfig.DEFAULT.withConnectWait(Target.PATIENCE));
        this.documents = DocumentStores.open(options.store().orElse(store), Target.PATIENCE);
        this.prober = new HttpProber(options.probes().policy());
        this.guard = LocalGuard.start(
                new GuardParts(
                        locks,
                        documents,
                        prober,
                        Actuators.of(options.actuators(), System.getenv()).all(),
                        actuator,
                        HostAddresses.ofThisMachine(),
                        GuardMeter.NONE,
                        Clock.systemUTC()),
                options.config());
    }

    /** Each step of a decision is a line in the log of a server; here the decision itself is shown. */
    private static Logging.Output quiet() {
        try {
            return Logging.configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.WARN, Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no file
        }
    }

    @Override
    public List<JsonTree> apps() throws InterruptedException {
        return told(() -> each(List.copyOf(guard.apps()), AppJson::write));
    }

    @Override
    public List<String> register(List<Registration> apps) throws InterruptedException {
        return told(() -> guard.registerAll(apps));
    }

    @Override
    public void forget(String app) throws InterruptedException {
        told(() -> {
            guard.app(app);
            return guard.unregister(app);
        });
    }

    @Override
    public List<JsonTree> resources(Optional<String> dbIdentifier) throws InterruptedException {
        return told(() -> {
            if (dbIdentifier.isEmpty()) {
                return each(guard.resources(), ResourceJson::write);
            }
            ResourceView one = guard.resource(dbIdentifier.get())
                    .orElseThrow(() -> new Declined("No registered app uses '" + dbIdentifier.get()
                            + "'. See what is used: holdfast guard status"));
            return each(List.of(one), ResourceJson::write);
        });
    }

    @Override
    public JsonTree stop(String app, boolean dryRun) throws InterruptedException {
        return told(() -> answer(dryRun ? guard.checkStop(app) : guard.stop(app), dryRun));
    }

    @Override
    public JsonTree start(String app, boolean dryRun) throws InterruptedException {
        return told(() -> answer(dryRun ? guard.checkStart(app) : guard.start(app), dryRun));
    }

    private interface Work<T> {
        T run() throws InterruptedException;
    }

    private static <T> T told(Work<T> work) throws InterruptedException {
        try {
            return work.run();
        } catch (UnknownAppException | InvalidAppException | GuardBusyException e) {
            throw new Declined(String.valueOf(e.getMessage()));
        }
    }

    // ---- as a server says it

    private static <T> List<JsonTree> each(List<T> items, Function<T, Json.Obj> part) {
        return items.stream().map(part).map(StoreGuards::tree).toList();
    }

    private static JsonTree answer(GuardAnswer answer, boolean dryRun) {
        return tree(AnswerJson.write(answer, dryRun));
    }

    private static JsonTree tree(Json json) {
        try {
            return JsonTree.of(new String(json.bytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it was written a moment ago
        }
    }

    @Override
    public void close() {
        guard.close();
        prober.close();
        documents.close();
        locks.close();
        log.close();
    }
}
