package dev.holdfast.server.guard;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.guard.App;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.local.GuardMeter;
import dev.holdfast.guard.local.GuardParts;
import dev.holdfast.guard.local.LocalGuard;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.HttpProber;
import dev.holdfast.guard.probe.TrustedCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;

/**
 * A guard as the settings say, the same in a server and in a command at a store: which apps may be registered, how they are looked
 * at, and that nothing is promised which no actuator here can do. Closing it leaves locks and documents open.
 */
public final class ConfiguredGuard implements Guard {
    private final Actuators actuators;
    private final ProbeTargets targets;
    private final HttpProber prober;
    private final Guard guard;

    /**
     * What it works with beside the options.
     *
     * @param usualActuator the one for databases that name none; empty to leave those to others
     */
    public record Collaborators(
            LockClient locks,
            DocumentStore documents,
            Actuators actuators,
            Optional<String> usualActuator,
            GuardMeter meter) {}

    private ConfiguredGuard(GuardOptions options, Collaborators with) {
        this.actuators = with.actuators();
        this.targets = new ProbeTargets(options.probes());
        this.prober = new HttpProber(options.probes().policy(), trusted(options.probes()));
        this.guard = LocalGuard.start(
                new GuardParts(
                        with.locks(),
                        with.documents(),
                        prober,
                        actuators.all(),
                        with.usualActuator(),
                        HostAddresses.ofThisMachine(),
                        with.meter(),
                        Clock.systemUTC()),
                options.config());
    }

    /**
     * Starts one, which at once goes on with what others left unfinished.
     *
     * @throws IllegalArgumentException if a file of the options cannot be used
     */
    public static ConfiguredGuard start(GuardOptions options, Collaborators with) {
        return new ConfiguredGuard(options, with);
    }

    private static SSLContext trusted(GuardOptions.Probes probes) {
        return probes.ca().map(ConfiguredGuard::trusted).orElseGet(TrustedCertificates::standard);
    }

    private static SSLContext trusted(Path ca) {
        try {
            return TrustedCertificates.standardAnd(Files.readString(ca));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("guard.probe.ca cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public RegistrationResult register(Registration registration) throws InterruptedException {
        return guard.register(targets.checked(List.of(registration)).get(0));
    }

    @Override
    public List<String> registerAll(List<Registration> registrations) throws InterruptedException {
        return guard.registerAll(targets.checked(registrations));
    }

    @Override
    public boolean unregister(String app) throws InterruptedException {
        return guard.unregister(app);
    }

    @Override
    public Collection<App> apps() throws InterruptedException {
        return guard.apps();
    }

    @Override
    public App app(String name) throws InterruptedException {
        return guard.app(name);
    }

    @Override
    public CompletableFuture<QuickStatus> status(String app) throws InterruptedException {
        return guard.status(app);
    }

    @Override
    public List<ResourceView> resources() throws InterruptedException {
        return guard.resources();
    }

    @Override
    public Optional<ResourceView> resource(String dbIdentifier) throws InterruptedException {
        return guard.resource(dbIdentifier);
    }

    @Override
    public GuardAnswer checkStop(String app) throws InterruptedException {
        return able(app).checkStop(app);
    }

    @Override
    public GuardAnswer checkStart(String app) throws InterruptedException {
        return able(app).checkStart(app);
    }

    @Override
    public GuardAnswer stop(String app) throws InterruptedException {
        return able(app).stop(app);
    }

    @Override
    public GuardAnswer start(String app) throws InterruptedException {
        return able(app).start(app);
    }

    /** Asked before anything is wished: what cannot be stopped here is not half promised. */
    Guard able(String app) throws InterruptedException {
        List<String> missing = guard.app(app).databases().stream()
                .flatMap(database -> database.actuator().stream())
                .filter(name -> actuators.find(name).isEmpty())
                .distinct()
                .toList();
        if (!missing.isEmpty()) {
            throw new MissingActuatorException("Nothing was done: app '" + app + "' has a database with the actuator '"
                    + String.join("', '", missing)
                    + "', which is not configured here. Add it to guard.actuators, or register the app with one of "
                    + String.join(", ", actuators.names().stream().sorted().toList()));
        }
        return guard;
    }

    @Override
    public void close() {
        guard.close();
        prober.close();
    }
}
