package dev.holdfast.guard.local;

import dev.holdfast.Lease;
import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.registry.ActuatorChoice;
import dev.holdfast.guard.registry.IntentStore;
import dev.holdfast.guard.registry.Registry;
import dev.holdfast.guard.registry.ResourceLocks;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.resource.Topology;
import dev.holdfast.guard.rules.GuardRules;
import dev.holdfast.guard.rules.ResourceFacts;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A guard of a {@link Simulation}, driven step by step: the real rules, passes, wishes and registry, on locks and time that are not. */
final class SimulatedReplica {
    private final Simulation world;
    private final String name;
    private final long skewMillis;
    private GuardContext context;
    private Judge judge;
    private IntentStore intents;
    private Registry registry;
    private final List<Running> passes = new ArrayList<>();
    private long pausedUntil;
    private long nextLook;
    private int life;
    private String process = "";
    private boolean asked;

    /** A pass under way. */
    private record Running(ResourcePass pass, SimulatedLocks.Taken lock, ResourceFacts.Task task) {}

    SimulatedReplica(Simulation world, String name, long skewMillis) {
        this.world = world;
        this.name = name;
        this.skewMillis = skewMillis;
        restart();
    }

    /** As after a crash: nothing is remembered, and locks are not given back. */
    void restart() {
        process = name + "." + ++life;
        passes.clear();
        world.locks().forgetHolder(this);
        GuardConfig config = world.config();
        Clock clock = world.clock(skewMillis);
        DecisionLog log = new DecisionLog(line -> {}, false);
        GuardParts parts = world.parts(this, clock);
        FailureTimes failures =
                world.bug().failures(new FailureWatch(world.bug().longestGap(config)));
        ActuatorChoice choice = new ActuatorChoice(parts.actuators(), parts.usualActuator());
        context = new GuardContext(
                world.documents(),
                new AppProbes(
                        parts.prober(),
                        config,
                        clock,
                        () -> world.now() * 1_000_000,
                        failures,
                        world.bug().runs(world),
                        new AnswerMemory(config.confirmationPause())),
                choice,
                new ActuatorCalls(choice, config, log),
                HostAddresses.NONE,
                world.locks().of(this),
                (decision, by, lease) -> world.told(this, decision),
                log,
                world.bug().rules(new GuardRules(config)::of),
                config,
                clock);
        judge = new Judge(context);
        intents = new IntentStore(context.documents(), clock, config.startingTimeout());
        registry = new Registry(context.documents(), choice, HostAddresses.NONE, context.lock());
    }

    /** Which process this is: another after a restart. */
    String process() {
        return process;
    }

    boolean isPaused() {
        return world.now() < pausedUntil;
    }

    void pause(long millis) {
        pausedUntil = world.now() + millis;
    }

    boolean hasWork() {
        return !passes.isEmpty();
    }

    /** One step of one of its passes. */
    void step() throws InterruptedException {
        Running running = passes.get(world.random().nextInt(passes.size()));
        world.acting(this);
        Optional<GuardDecision> decided = running.pass().advance();
        if (decided.isPresent()) {
            passes.remove(running);
            running.lock().close();
            world.answered(running.task(), decided.get());
        }
    }

    /** Looks at everything unfinished when that is due, as the reconciler does. */
    void lookIfDue() throws InterruptedException {
        if (world.now() < nextLook) {
            return;
        }
        nextLook = world.now() + context.config().interval().toMillis();
        world.acting(this);
        Map<String, App> apps = new TreeMap<>(context.documents().apps());
        for (App app : List.copyOf(apps.values())) {
            if (app.leaving()) {
                registry.forget(app.name());
            }
        }
        Topology topology = Topology.of(apps.values());
        boolean watched = context.documents().watchedResources().contains(Simulation.DB);
        boolean starting = apps.values().stream()
                .anyMatch(app -> app.isStarting(context.clock().instant()));
        if ((!watched && !starting) || !passes.isEmpty()) {
            return;
        }
        ResourceSnapshot snapshot =
                ResourceSnapshot.of(context.documents().resource(Simulation.DB), topology.unit(Simulation.DB), apps);
        if (!judge.dependsOnApps(snapshot) || judge.isWorthwhile(snapshot, context.probe(snapshot))) {
            Optional<String> app = judge.reason(context.documents().snapshot(Simulation.DB));
            if (app.isPresent()) {
                begin(ResourceFacts.Errand.RECONCILE, app.get());
            }
        }
    }

    private void begin(ResourceFacts.Errand errand, String app) {
        Optional<SimulatedLocks.Taken> lock = world.locks().take(this, Simulation.DB);
        ResourceFacts.Task task = new ResourceFacts.Task(
                Simulation.DB,
                errand,
                app,
                lock.map(ResourceLocks.HeldResource::token).orElse(0L));
        if (lock.isPresent()) {
            passes.add(new Running(new ResourcePass(context, task, lock.get(), CallerPatience.NONE), lock.get(), task));
        }
    }

    void stop(String app) {
        if (!intents.stop(app).isEmpty()) {
            begin(ResourceFacts.Errand.STOP, app);
        }
    }

    void start(String app) {
        if (!intents.start(app).isEmpty()) {
            begin(ResourceFacts.Errand.START, app);
        }
    }

    /** A dry run: what if this app were stopped? Whatever the answer is, nothing comes of it. */
    void ask(String app) throws InterruptedException {
        if (!apps().containsKey(app)) {
            return;
        }
        world.acting(this);
        asked = true;
        try {
            ResourceFacts.Task task = new ResourceFacts.Task(Simulation.DB, ResourceFacts.Errand.STOP, app, 0);
            var unused = new DryRun(context).judge(task, CallerPatience.NONE);
        } finally {
            asked = false;
        }
    }

    /** Whether it looks at apps only as somebody asked: that is no evidence for anything it does. */
    boolean isAsked() {
        return asked;
    }

    void register(Registration registration) throws InterruptedException {
        var unused = registry.register(List.of(registration));
    }

    void unregister(String app) throws InterruptedException {
        registry.unregister(app);
    }

    Optional<App> app(String app) {
        return Optional.ofNullable(context.documents().apps().get(app));
    }

    Map<String, App> apps() {
        Map<String, App> all = new TreeMap<>(context.documents().apps());
        all.values().removeIf(App::leaving);
        return all;
    }

    ResourceRecord resource() {
        return context.documents().resource(Simulation.DB).value();
    }

    /** Locks of a world: they end when their holder does not live to renew them. */
    static final class SimulatedLocks {
        private final Simulation world;
        private final Map<String, Taken> held = new TreeMap<>();
        private long tokens;

        SimulatedLocks(Simulation world) {
            this.world = world;
        }

        /** A lock somebody took. */
        final class Taken implements ResourceLocks.HeldResource {
            private final String id;
            private final long token;
            private final Optional<SimulatedReplica> holder;
            private boolean forgotten;
            private long until;

            private Taken(String id, long token, SimulatedReplica holder) {
                this.id = id;
                this.token = token;
                this.holder = Optional.of(holder);
                this.until = world.now() + world.config().lockTtl().toMillis();
            }

            @Override
            public String owner() {
                return "owner" + token;
            }

            @Override
            public long token() {
                return token;
            }

            @Override
            public boolean isValid() {
                return held.get(id) == this && world.now() < until;
            }

            @Override
            public Optional<Lease> lease() {
                return Optional.empty();
            }

            @Override
            public void close() {
                held.remove(id, this);
            }
        }

        /** Leases of those who live and are not paused are renewed; others end. */
        void pass() {
            held.values().removeIf(taken -> world.now() >= taken.until);
            held.values().stream()
                    .filter(taken ->
                            !taken.forgotten && !taken.holder.orElseThrow().isPaused())
                    .forEach(taken ->
                            taken.until = world.now() + world.config().lockTtl().toMillis());
        }

        void forgetHolder(SimulatedReplica replica) {
            held.values().stream()
                    .filter(taken -> taken.holder.orElseThrow() == replica)
                    .forEach(taken -> taken.forgotten = true);
        }

        Optional<Taken> take(SimulatedReplica replica, String id) {
            if (held.containsKey(id)) {
                return Optional.empty();
            }
            Taken taken = new Taken(id, ++tokens, replica);
            held.put(id, taken);
            return Optional.of(taken);
        }

        ResourceLocks of(SimulatedReplica replica) {
            return new ResourceLocks() {
                @Override
                public Optional<HeldResource> take(String id, String app, String purpose) {
                    return takeIfFree(id, app, purpose);
                }

                @Override
                public Optional<HeldResource> takeIfFree(String id, String app, String purpose) {
                    return SimulatedLocks.this.take(replica, id).map(taken -> taken);
                }
            };
        }
    }
}
