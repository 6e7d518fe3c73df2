package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run: engines on one store in virtual time, faults for a while, then calm, in which every lock must become free.
 *
 * <p>The engines, rules and clocks are the real ones; only the machine and the store's network are simulated.
 */
public final class Simulation {
    /** Events with faults; after them, it grows calm. */
    private static final int STORMY_EVENTS = 1_100;
    /** True time with faults. */
    private static final long STORMY_TIME = Duration.ofMinutes(1).toNanos();
    /** True time in which all locks must have become free once it is calm: leases, claims, observation, sweeps. */
    private static final long CALM_TIME = Duration.ofMinutes(2).toNanos();

    /** How far off an engine's estimate of the store's time may be: a slow answer, and a little drift. */
    private static final Duration ESTIMATE = Duration.ofMillis(1_600);

    /** The same where processes pause while an answer is on its way. */
    private static final Duration PAUSED_ESTIMATE = Duration.ofSeconds(10);

    private static final int MAX_EVENTS = 60_000;

    /** How much faster a clock runs that is being corrected. Time daemons do up to a twelfth. */
    private static final double SLEW = 0.1;

    /** Longer than ended leases are remembered. */
    private static final long NIGHT = Duration.ofMinutes(15).toNanos();

    /** How long an unused record is kept; a night is longer. */
    private static final Duration RETENTION = Duration.ofMinutes(3);

    /**
     * What is simulated: the real thing, or one with a planted bug.
     */
    record Subject(LockRules rules, Judgement judgement, Function<SimServer.Place, SimServer> server) {
        /** What users get. */
        static Subject real() {
            return new Subject(new LockRules(), new Judgement(), SimServer::new);
        }
    }

    /**
     * How a run ended.
     *
     * @param seed its seed
     * @param events how many events it took
     * @param failure what was broken, if anything
     * @param trace the last events, if asked for
     */
    public record Outcome(long seed, long events, Optional<String> failure, String trace) {}

    private final World world;
    private final SimulationPlan plan;
    private final Subject subject;
    private final Checker checker;
    private final SimServer server;
    private final Notices notices;
    private final List<Node> nodes = new ArrayList<>();
    private final List<@Nullable LockEngine> engines = new ArrayList<>();
    private final List<@Nullable SimStore> stores = new ArrayList<>();
    private boolean ending;
    private long dayBreak;
    private int nights;
    private long quietUntil;
    private @Nullable RuntimeException failure;

    private Simulation(long seed, Subject subject, boolean tracing) {
        this.world = new World(seed, tracing);
        this.plan = new SimulationPlan(world);
        this.subject = subject;
        Duration slack = plan.resolution.plus(plan.crash == 0 && !plan.slewed ? ESTIMATE : PAUSED_ESTIMATE);
        this.checker = new Checker(world, slack);
        this.server = subject.server().apply(new SimServer.Place(world, checker));
        this.notices = new Notices(world, plan);
        world.trace(() -> "seed " + seed + " " + plan);
    }

    public static Outcome run(long seed) {
        return run(seed, Subject.real(), false);
    }

    /** Runs this seed and keeps the last events. */
    public static Outcome trace(long seed) {
        return run(seed, Subject.real(), true);
    }

    /** Runs this seed on this subject; with {@code tracing} the outcome has the last events. */
    static Outcome run(long seed, Subject subject, boolean tracing) {
        Simulation run = new Simulation(seed, subject, tracing);
        Optional<String> broken = Optional.empty();
        try {
            run.play();
        } catch (RuntimeException e) {
            broken = Optional.of(e instanceof Violation ? String.valueOf(e.getMessage()) : stackOf(e));
        }
        return new Outcome(seed, run.world.executed(), broken, run.world.traced());
    }

    private static String stackOf(RuntimeException e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    // ---- for callers

    Checker checker() {
        return checker;
    }

    boolean isEnding() {
        return ending;
    }

    /** How long everybody still rests. */
    long restOfNight() {
        return Math.max(0, dayBreak - world.now());
    }

    /** How many nights have passed: what ended before the last one is forgotten. */
    int nights() {
        return nights;
    }

    LockRecord stored(RecordKey key) {
        LockRecord record = server.records().get(key);
        return record == null ? LockRecord.empty(key) : record;
    }

    LockEngine anyEngine() {
        while (true) {
            LockEngine engine = engines.get(world.chance.nextInt(engines.size()));
            if (engine != null) {
                return engine;
            }
        }
    }

    // ---- the play

    private void play() {
        for (int i = 0; i < plan.nodes; i++) {
            nodes.add(new Node(world, i, plan.slewed && world.happens(0.5) ? SLEW : 0));
            engines.add(null);
            stores.add(null);
            startNode(i);
        }
        if (plan.crash > 0) {
            planTrouble();
        }
        if (plan.clockSteps) {
            world.in(world.millis(3_000, 20_000), this::stepStoreClock);
        }
        long events = STORMY_EVENTS;
        long end = STORMY_TIME;
        if (plan.night) {
            while (world.executed() < events / 2 && world.now() < end / 2 && step()) {}
            nights++;
            dayBreak = world.now() + NIGHT;
            world.trace(() -> "night falls");
            while (world.now() < dayBreak && step()) {}
            world.trace(() -> "day breaks");
            events += world.executed();
            end += world.now();
        }
        while (world.executed() < events && world.now() < end && step()) {}
        calm();
    }

    private boolean step() {
        boolean more = world.step();
        checker.check();
        if (failure != null) {
            throw failure;
        }
        if (world.executed() > MAX_EVENTS) {
            throw new Violation("liveness", "no rest after " + MAX_EVENTS + " events");
        }
        return more;
    }

    private void startNode(int i) {
        SimStore store = new SimStore(world, nodes.get(i), server, plan, notices);
        stores.set(i, store);
        EngineConfig config = EngineConfig.DEFAULT
                .withHistory(false)
                .withOperationTimeout(Duration.ofSeconds(3))
                .withStaleAfter(Duration.ofSeconds(5))
                .withRetention(RETENTION)
                .withHistoryRetention(Duration.ofDays(1))
                .withSweepEvery(Duration.ofSeconds(20))
                .withKeysCached(world.happens(0.5) ? 1 : 1_000)
                .withWaiters(100, 1_000);
        LockEngine engine =
                new LockEngine(store, nodes.get(i), config, subject.rules(), subject.judgement(), 1).started();
        engines.set(i, engine);
        for (int c = 0; c < plan.callers; c++) {
            new SimulatedCaller(world, this, nodes.get(i), engine, plan).start();
        }
    }

    private void planTrouble() {
        world.in((long) (plan.crash * 1e6 * world.chance.nextDouble(0.2, 1.8)), () -> {
            if (!ending) {
                trouble(nodes.get(world.chance.nextInt(nodes.size())));
                planTrouble();
            }
        });
    }

    private void trouble(Node node) {
        int what = world.chance.nextInt(12);
        if (what < 4) {
            long duration = world.millis(50, 7_000);
            world.trace(() -> "node " + node.index + " pauses for " + duration / 1_000_000 + " ms");
            node.pause(duration);
        } else if (what < 6) {
            if (!node.mayDeceive(true)) {
                return;
            }
            long duration = world.millis(500, 9_000);
            world.trace(() -> "node " + node.index + " sleeps for " + duration / 1_000_000 + " ms");
            node.sleep(duration);
        } else if (what < 8) {
            if (!node.mayDeceive(false)) {
                return;
            }
            long by = world.millis(-6_000, 6_000);
            world.trace(() -> "node " + node.index + "'s wall clock steps by " + by / 1_000_000 + " ms");
            node.stepWall(by);
        } else if (what < 10) {
            long duration = world.millis(500, 8_000);
            SimStore store = stores.get(node.index);
            if (store != null) {
                world.trace(() -> "node " + node.index + " is cut off for " + duration / 1_000_000 + " ms");
                store.cutOff(duration);
            }
        } else {
            world.trace(() -> "node " + node.index + " crashes");
            node.crash();
            engines.set(node.index, null);
            stores.set(node.index, null);
            if (engines.stream().allMatch(e -> e == null)) {
                restart(node);
            } else {
                world.in(world.millis(100, 5_000), () -> restart(node));
            }
        }
    }

    private void restart(Node node) {
        if (world.now() < quietUntil && !engines.stream().allMatch(e -> e == null)) {
            world.at(quietUntil, () -> restart(node)); // a newcomer cannot know that the clock has stepped just before
        } else if (engines.get(node.index) == null) {
            world.trace(() -> "node " + node.index + " starts again");
            startNode(node.index);
        }
    }

    /**
     * The store's clock steps. Whoever knows it notices; a process that starts right after cannot, and that is a documented
     * limit, so none does here while leases from before may live.
     */
    private void stepStoreClock() {
        boolean allKnow = !ending
                && stores.stream().allMatch(s -> s != null && s.clock().now().isPresent() && s.knowsWell());
        if (allKnow) {
            // A step that fits into the width of an answer is not seen at once: that is what the declared skew is for.
            long seen = plan.resolution.plus(ESTIMATE).toNanos();
            long by = world.happens(0.6) ? seen + world.millis(0, 12_000) : -seen - world.millis(0, 8_000);
            checker.clockStepped();
            quietUntil = world.now() + Duration.ofSeconds(45).toNanos();
            server.stepClock(by);
        } else if (!ending) {
            world.in(world.millis(200, 1_000), this::stepStoreClock);
        }
    }

    // ---- the end

    private void calm() {
        ending = true;
        for (int i = 0; i < nodes.size(); i++) {
            if (engines.get(i) == null) {
                if (world.now() < quietUntil) {
                    continue;
                }
                startNode(i);
            }
            SimStore store = stores.get(i);
            if (store != null) {
                store.calm();
            }
        }
        world.trace(() -> "calm");
        int[] open = new int[1];
        for (int k = 0; k < plan.keys; k++) {
            for (LockEngine engine : engines) {
                if (engine != null) {
                    open[0]++;
                    askOnce(engine, new RecordKey("sim", "k" + k), open);
                }
            }
        }
        long end = world.now() + CALM_TIME;
        while (open[0] > 0 && world.now() < end && step()) {}
        if (open[0] > 0) {
            throw new Violation("liveness", open[0] + " callers still wait long after all faults have ended");
        }
    }

    private void askOnce(LockEngine engine, RecordKey key, int[] open) {
        Request request = new Request(
                key,
                engine.newLeaseId(),
                Scope.WHOLE,
                "last",
                Terms.of(Duration.ofSeconds(2)),
                Duration.ofSeconds(100),
                Duration.ZERO);
        after(engine.acquire(request, Calling.BLOCKING).answer(), (answer, error) -> {
            if (answer != null && answer.result() instanceof AcquireResult.Granted) {
                open[0]--;
                after(engine.release(key, request.leaseId()), (released, ignored) -> {});
            } else {
                askOnce(engine, key, open); // lost its place to a pause, or met the last of the faults
            }
        });
    }

    /** Goes on after a stage. Futures swallow what their continuations throw; a violation must not get lost there. */
    <T> void after(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> next) {
        stage.whenComplete((value, error) -> {
            try {
                next.accept(value, error);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                }
            }
        });
    }

    /** The same, unless the process of the node has died meanwhile. */
    <T> void afterIn(Node node, CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> next) {
        int life = node.life();
        after(stage, (value, failure) -> {
            if (life == node.life()) {
                next.accept(value, failure);
            }
        });
    }
}
