package dev.holdfast.guard.local;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import dev.holdfast.guard.registry.CheckedApp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A guard with doubles at its seams, memory behind it, and nothing that happens by itself unless it is started. */
final class Rig implements AutoCloseable {
    static final String DB = "db1:5432";
    static final GuardConfig QUICK = GuardConfig.DEFAULT
            .withLockBackoff(Duration.ofMillis(5))
            .withQuickStatusTimeout(Duration.ofSeconds(20))
            .withConfirmationPause(Duration.ZERO)
            .withDownAfter(Duration.ZERO)
            .withInterval(Duration.ofMillis(20))
            .withActTimeout(Duration.ofSeconds(20));

    /** The same, but an app that nobody asked to stop must fail for this long. */
    static GuardConfig downAfter(Duration time) {
        return QUICK.withDownAfter(time);
    }

    final LockClient locks = LockClient.connect("memory:");
    final DocumentStore documents = new MemoryDocuments();
    final SeenApps apps = new SeenApps();
    final Machines machines = new Machines("log");
    final Counted counted = new Counted();
    final List<String> lines = new CopyOnWriteArrayList<>();
    final Map<String, List<String>> addresses = new ConcurrentHashMap<>();
    final HostAddresses hosts = names -> addresses;
    final GuardConfig config;
    final Clock clock;
    final LocalGuard guard;
    private final List<LocalGuard> guards = new ArrayList<>();

    Rig() {
        this(QUICK);
    }

    Rig(GuardConfig config) {
        this(config, Clock.systemUTC());
    }

    Rig(GuardConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.guard = another();
    }

    /** Another guard on the same locks and documents, as of another process. */
    LocalGuard another() {
        return on(documents, apps, machines);
    }

    LocalGuard on(DocumentStore store, Prober prober, Actuator... actuators) {
        LocalGuard made = new LocalGuard(context(parts(store, prober, actuators)));
        guards.add(made);
        return made;
    }

    /** One that reconciles by itself. */
    LocalGuard running() {
        LocalGuard made = LocalGuard.start(parts(documents, apps, machines), config);
        guards.add(made);
        return made;
    }

    GuardContext context(GuardParts parts) {
        return GuardContext.of(parts, config, new DecisionLog(lines::add, config.emojiLog()));
    }

    GuardParts parts(DocumentStore store, Prober prober, Actuator... actuators) {
        GuardParts plain = GuardParts.of(locks, store, prober, List.of(actuators));
        return new GuardParts(locks, store, prober, plain.actuators(), plain.usualActuator(), hosts, counted, clock);
    }

    /** Apps that share {@value #DB}. */
    Rig sharing(String... names) throws InterruptedException {
        for (String name : names) {
            guard.register(app(name, use("postgres", "db1")));
        }
        return this;
    }

    static Registration app(String name, Registration.Use... uses) {
        return new Registration(name, "http://" + name + "/", List.of(uses), Optional.empty());
    }

    /** As the registry would store it. */
    static App registered(Registration registration) {
        return CheckedApp.check(registration, Set.of(), new ArrayList<>()).next(Optional.empty());
    }

    static Registration.Use use(String type, String host) {
        return new Registration.Use(type, Optional.of(host), Optional.empty(), Optional.empty());
    }

    static Registration.Use on(String instance, String type, String host) {
        return new Registration.Use(type, Optional.of(host), Optional.of(instance), Optional.empty());
    }

    GuardDecision stop(String app) throws InterruptedException {
        return only(guard.stop(app));
    }

    GuardDecision start(String app) throws InterruptedException {
        return only(guard.start(app));
    }

    static GuardDecision only(GuardAnswer answer) {
        if (answer.decisions().size() != 1) {
            throw new AssertionError("expected one decision, got " + answer.decisions());
        }
        return answer.decisions().get(0);
    }

    ResourceView db() {
        return guard.resource(DB).orElseThrow();
    }

    /** Counts decisions and locks. */
    static final class Counted implements GuardMeter {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void decided(GuardDecision decision) {
            all.add(decision.dbIdentifier() + " " + decision.outcome().label());
        }

        @Override
        public void lockAsked(int retries, Duration took, boolean acquired) {
            all.add("lock " + retries + " " + acquired);
        }
    }

    static ProbeResult probed(ProbeStatus sight, int code) {
        java.util.OptionalInt http = code == 0 ? java.util.OptionalInt.empty() : java.util.OptionalInt.of(code);
        return new ProbeResult(sight, http, Instant.EPOCH, "seen");
    }

    @Override
    public void close() {
        guards.forEach(LocalGuard::close);
        locks.close();
        documents.close();
    }
}
