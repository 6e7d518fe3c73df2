package dev.holdfast.guard.local;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.rules.ResourceFacts;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A world of one seed: two guards, a database, and apps that start, fail, flap and die, in one thread and in a time of its own.
 * Guards take one step at a time, in any order, and are paused and killed between any two. What must hold is in
 * {@link SimulationOracle}.
 */
final class Simulation {
    static final String DB = "db1:5432";

    private static final List<String> APPS = List.of("a", "b", "c");
    private static final int EVENTS = 400;

    /** What an app really does. */
    enum Truth {
        UP(200),
        /** It answers, and no proxy could for it. */
        NOT_FOUND(404),
        FAILING(503),
        REFUSING(0),
        SILENT(0);

        final int code;

        Truth(int code) {
            this.code = code;
        }
    }

    private final Random random;
    private final PlantedBug bug;
    private final GuardConfig config;
    private final DocumentStore store = new MemoryDocuments();
    private final GuardDocuments documents = new GuardDocuments(store);
    private final SimulatedReplica.SimulatedLocks locks = new SimulatedReplica.SimulatedLocks(this);
    private final SimulationOracle oracle = new SimulationOracle(this);
    private final SimulatedDatabase database;
    private final List<SimulatedReplica> replicas = new ArrayList<>();
    private final Map<String, Truth> truths = new TreeMap<>();
    private final List<List<?>> story = new ArrayList<>(); // lines as their words: few are ever read
    private final Map<String, Long> blips = new TreeMap<>(); // when an app fails again
    private long calmUntil;
    private boolean ended; // nobody starts an app any more
    private Optional<SimulatedReplica> acting = Optional.empty();
    private long now;
    private long runs;

    Simulation(long seed, PlantedBug bug) {
        this.random = new Random(seed);
        this.bug = bug;
        this.config = GuardConfig.DEFAULT
                .withDownAfter(Duration.ofSeconds(60))
                .withStartingTimeout(Duration.ofSeconds(120))
                .withActTimeout(Duration.ofSeconds(30))
                .withRestartIfNeeded(random.nextInt(4) == 0);
        this.database = new SimulatedDatabase(this, new Random(seed + 1));
        replicas.add(new SimulatedReplica(this, "r1", 0));
        replicas.add(new SimulatedReplica(this, "r2", random.nextInt(4_000) - 2_000));
        acting = Optional.of(replicas.get(0));
        APPS.forEach(app -> truths.put(app, Truth.UP));
    }

    // ---- what the parts ask

    long now() {
        return now;
    }

    Instant instant() {
        return Instant.ofEpochMilli(now);
    }

    Random random() {
        return random;
    }

    GuardConfig config() {
        return config;
    }

    PlantedBug bug() {
        return bug;
    }

    /** One for all: what it remembers is only what was parsed, by its tag. */
    GuardDocuments documents() {
        return documents;
    }

    SimulatedReplica.SimulatedLocks locks() {
        return locks;
    }

    SimulationOracle oracle() {
        return oracle;
    }

    SimulatedDatabase database() {
        return database;
    }

    /** What happened, a line each. */
    String story() {
        return story.stream()
                .map(words -> words.stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }

    /** Adds a line of these words, which do not change any more. */
    void tell(Object... words) {
        story.add(List.of(words));
    }

    String newRun() {
        return "run" + runs++;
    }

    SimulatedReplica acting() {
        return acting.orElseThrow();
    }

    void acting(SimulatedReplica replica) {
        acting = Optional.of(replica);
    }

    void told(SimulatedReplica by, GuardDecision decision) {
        tell(now, by.process(), decision.outcome(), decision.reason());
    }

    Clock clock(long skewMillis) {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(now + skewMillis);
            }
        };
    }

    @SuppressWarnings("NullAway") // no lock is asked for here: passes are given theirs
    GuardParts parts(SimulatedReplica replica, Clock clock) {
        Prober prober = new Prober() {
            @Override
            public CompletableFuture<ProbeResult> probe(URI url, Duration timeout) {
                String app = url.getHost();
                Truth truth = truths.getOrDefault(app, Truth.SILENT);
                replica.app(app)
                        .filter(known -> !replica.isAsked())
                        .ifPresent(known -> oracle.looked(app, replica.process(), truth, known, clock.instant()));
                return CompletableFuture.completedFuture(probed(truth, clock.instant()));
            }

            @Override
            public void close() {}
        };
        return new GuardParts(
                null,
                store,
                prober,
                List.of(database),
                Optional.of(database.name()),
                HostAddresses.NONE,
                GuardMeter.NONE,
                clock);
    }

    private static ProbeResult probed(Truth truth, Instant at) {
        ProbeStatus sight = switch (truth) {
            case UP -> ProbeStatus.UP;
            case NOT_FOUND, FAILING -> ProbeStatus.DOWN;
            case REFUSING -> ProbeStatus.REFUSED;
            case SILENT -> ProbeStatus.UNKNOWN;
        };
        return new ProbeResult(sight, truth.code == 0 ? OptionalInt.empty() : OptionalInt.of(truth.code), at, "seen");
    }

    /** A pass has come to its end; whoever was told that the app may start starts it. */
    void answered(ResourceFacts.Task task, GuardDecision decision) {
        String app = task.caller();
        App known = replicas.get(0).apps().get(app);
        boolean may = !ended
                && task.errand() == ResourceFacts.Errand.START
                && decision.outcome() == GuardOutcome.STARTED
                && known != null
                && known.desired() != DesiredState.STOPPED
                && known.isStarting(instant().plusSeconds(10)); // whoever waits too long must ask again
        if (may) {
            become(app, Truth.UP);
            oracle.relies(app);
        }
    }

    private void become(String app, Truth truth) {
        tell(now, app, "is", truth);
        truths.put(app, truth);
        if (truth == Truth.FAILING || truth == Truth.REFUSING) {
            oracle.reliesNoMore(app);
        }
    }

    // ---- what happens

    /** Lets things happen for a while, then lets all apps end, or fail for good: what is wished must come about. */
    int run() throws InterruptedException {
        for (String app : APPS) {
            replicas.get(0).register(Rig.app(app, Rig.use("postgres", "db1")));
        }
        for (int i = 0; i < EVENTS; i++) {
            happen();
        }
        end();
        return oracle.stopsOrdered;
    }

    private void happen() throws InterruptedException {
        tick(random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(700));
        SimulatedReplica replica = replicas.get(random.nextInt(2));
        boolean calm = now < calmUntil && random.nextInt(5) > 0;
        int dice = random.nextInt(100);
        if (dice < 7) {
            blip(anyApp());
        } else if (dice < 9) {
            failAll();
        } else if (dice < 22) {
            if (calm) {
                work(replica);
            } else if (dice < 13) {
                become(anyApp(), Truth.values()[random.nextInt(Truth.values().length)]);
            } else {
                call(replica, anyApp());
            }
        } else if (dice < 23) {
            tell(now, "pause of", replica.process());
            replica.pause(random.nextInt(120_000));
        } else if (dice < 24) {
            tell(now, "crash of", replica.process());
            replica.restart();
        } else if (dice < 25) {
            tick(random.nextInt(90_000));
        } else if (dice < 30) {
            ask(replica, anyApp());
        } else {
            work(replica);
        }
    }

    private void ask(SimulatedReplica replica, String app) throws InterruptedException {
        if (!replica.isPaused()) {
            tell(now, replica.process(), "is asked what if", app, "stops");
            replica.ask(app);
        }
    }

    /** As when what all of them depend on is gone: the case in which failing alone says nothing. Then little happens for a while. */
    private void failAll() {
        List.copyOf(truths.keySet()).stream()
                .filter(app -> random.nextInt(4) > 0)
                .forEach(app -> become(app, Truth.FAILING));
        calmUntil = now + random.nextInt(150_000);
    }

    /** An app that fails answers otherwise for a moment. */
    private void blip(String app) {
        if (truths.get(app) == Truth.FAILING) {
            become(app, List.of(Truth.UP, Truth.NOT_FOUND, Truth.SILENT).get(random.nextInt(3)));
            blips.put(app, now + random.nextInt(9_000));
        }
    }

    private String anyApp() {
        return APPS.get(random.nextInt(APPS.size()));
    }

    private void work(SimulatedReplica replica) throws InterruptedException {
        if (replica.isPaused()) {
            return;
        }
        if (replica.hasWork() && random.nextInt(3) > 0) {
            replica.step();
        } else {
            replica.lookIfDue();
        }
    }

    private void call(SimulatedReplica replica, String app) throws InterruptedException {
        if (replica.isPaused()) {
            return;
        }
        acting(replica);
        Optional<App> known = Optional.ofNullable(replica.apps().get(app));
        int what = random.nextInt(10);
        tell(now, replica.process(), "call", what, "about", app);
        if (known.isEmpty()) {
            replica.register(Rig.app(app, Rig.use("postgres", "db1")));
        } else if (what < 5) {
            oracle.reliesNoMore(app);
            replica.stop(app);
            if (random.nextInt(3) > 0) {
                become(app, Truth.REFUSING);
            }
        } else if (what < 7) {
            replica.start(app);
        } else if (what < 9) {
            String wish = List.of("auto", "running").get(random.nextInt(2));
            replica.register(as(app, wish));
        } else {
            oracle.reliesNoMore(app);
            replica.unregister(app);
        }
    }

    private static Registration as(String app, String wish) {
        return new Registration(app, "http://" + app + "/", List.of(Rig.use("postgres", "db1")), Optional.of(wish));
    }

    private void tick(long millis) {
        now += 1 + millis;
        locks.pass();
        database.pass();
        for (String app : List.copyOf(blips.keySet())) {
            if (blips.getOrDefault(app, 0L) <= now) {
                blips.remove(app);
                become(app, Truth.FAILING);
            }
        }
    }

    // ---- how it ends

    private void end() throws InterruptedException {
        ended = true;
        database.becomeHonest();
        blips.clear();
        boolean oneAsks = random.nextInt(3) == 0;
        if (oneAsks) {
            failWithoutAsking();
        }
        for (String app : oneAsks ? APPS.subList(0, 1) : APPS) {
            become(app, Truth.REFUSING);
            if (replicas.get(0).apps().containsKey(app)) {
                replicas.get(0).stop(app);
            }
        }
        if (replicas.get(0).apps().isEmpty()) {
            return;
        }
        settle(240_000);
        ResourceRecord stopped = replicas.get(0).resource();
        if (database.runs()
                || stopped.state() != ResourceState.STOPPED
                || !stopped.intents().isEmpty()) {
            throw new AssertionError((oneAsks
                            ? "one app is gone and asked to stop, the others fail"
                            : "all apps are gone and asked to stop")
                    + ", but the database "
                    + (database.runs() ? "runs" : "is stopped") + " and is stored as " + stopped.state()
                    + ", wanted by " + stopped.intents().keySet());
        }
        String back = replicas.get(0).apps().keySet().iterator().next();
        become(back, Truth.UP);
        settle(60_000);
        boolean told = replicas.get(0).resource().isToldNeeded();
        if (config.restartIfNeeded() ? !database.runs() : !told) {
            throw new AssertionError(back + " answers again and its database is stopped, but nobody "
                    + (config.restartIfNeeded() ? "started it" : "said so"));
        }
    }

    /** All fail, nobody wants them to run, and none of them counts as starting any more. */
    private void failWithoutAsking() throws InterruptedException {
        for (String app : APPS) {
            replicas.get(0).register(as(app, "auto"));
            become(app, Truth.FAILING);
        }
        settle(config.startingTimeout().toMillis() + 30_000);
    }

    /** All the time somebody asks what would happen: that must not keep anything from happening. */
    private void settle(long millis) throws InterruptedException {
        long until = now + millis;
        while (now < until) {
            tick(1_000);
            if (random.nextInt(4) == 0) {
                ask(replicas.get(random.nextInt(2)), anyApp());
            }
            for (SimulatedReplica replica : replicas) {
                if (!replica.isPaused()) {
                    replica.lookIfDue();
                    for (int i = 0; i < 3 && replica.hasWork(); i++) {
                        replica.step();
                    }
                }
            }
        }
    }
}
