package dev.holdfast.testkit;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A random run of commands through two engines on a store, compared step by step with {@link LockRules} applied to a plain
 * record: the same answers, and the same holders, waiters and ended leases. A failure prints the seed that repeats it.
 */
public final class RandomComparison {
    private static final RecordKey KEY = new RecordKey("default", "compared");
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(10);
    private static final Duration CLAIM = Duration.ofSeconds(3);
    /** Nearer to the end of a lease than this, a real clock decides differently from run to run. */
    private static final Duration EDGE = Duration.ofMillis(300);

    private final StoreFixture fixture;
    private final long seed;
    private final Random random;
    private final LockRules rules = new LockRules();
    private final List<Side> sides;
    private LockRecord model = LockRecord.empty(KEY);
    private Token highest = Token.NONE;
    private int leases;
    private int step;
    private String doing = "nothing yet";

    /** One engine, and what the model knows of it. */
    private static final class Side {
        private final LockEngine engine;
        private final Map<LeaseId, Terms> parked = new HashMap<>();
        private final Map<LeaseId, Acquisition> waiting = new HashMap<>();
        private final List<LeaseId> known = new ArrayList<>();

        Side(StoreFixture fixture) {
            engine = new LockEngine(
                            fixture.open(),
                            fixture.machine(),
                            EngineConfig.DEFAULT,
                            new LockRules(),
                            new Judgement(),
                            1)
                    .started();
        }

        DecidingEngine here() {
            Map<LeaseId, DecidingEngine.Parking> callers = new HashMap<>();
            parked.forEach((leaseId, terms) -> callers.put(leaseId, new DecidingEngine.Parking(terms, Cause.OWNER)));
            return new DecidingEngine(engine.id(), callers, Cause.OWNER);
        }
    }

    private RandomComparison(StoreFixture fixture, long seed) {
        this.fixture = fixture;
        this.seed = seed;
        this.random = new Random(seed);
        this.sides = List.of(new Side(fixture), new Side(fixture));
    }

    /** Runs this many steps on a fresh fixture; throws an error with seed and step at the first difference. */
    public static void run(StoreFixture fixture, long seed, int steps) {
        RandomComparison comparison = new RandomComparison(fixture, seed);
        try {
            for (int i = 0; i < steps; i++) {
                comparison.next();
            }
        } finally {
            comparison.sides.forEach(side -> side.engine.close());
        }
    }

    private void next() {
        step++;
        leaveTheEdge();
        Side side = sides.get(random.nextInt(2));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> tryAcquire(side);
            case 3, 4 -> queue(side);
            case 5 -> renew(side);
            case 6, 7 -> release(side);
            case 8 -> {
                if (random.nextBoolean()) {
                    force(side);
                } else {
                    cancel(side);
                }
            }
            default -> pass(Duration.ofMillis(random.nextInt(1_500)));
        }
        settle();
    }

    // ---- the commands

    private void tryAcquire(Side side) {
        Command.Acquire ask = ask(side, Optional.empty());
        doing = "tryAcquire " + ask;
        AcquireResult expected = apply(ask, side);
        AcquireResult told = Await.get(
                        side.engine.acquire(request(ask, Duration.ZERO)).answer())
                .result();
        same(shown(expected), shown(told));
        if (told instanceof AcquireResult.Granted granted) {
            tokenGrows(granted.hold());
        }
    }

    private void queue(Side side) {
        if (model.queue().size() >= 12) {
            return; // overflow has its own test
        }
        Command.Acquire ask = ask(side, Optional.of(CLAIM));
        if (side.waiting.containsKey(ask.leaseId()) || !side.known.contains(ask.leaseId())) {
            return; // a place that moves between callers has its own test
        }
        doing = "queue " + ask;
        side.parked.put(ask.leaseId(), ask.terms());
        AcquireResult expected = apply(ask, side);
        Acquisition acquisition = side.engine.acquire(request(ask, LONG.dividedBy(10)));
        if (expected instanceof AcquireResult.Queued) {
            side.waiting.put(ask.leaseId(), acquisition);
        } else {
            side.parked.remove(ask.leaseId());
            same(shown(expected), shown(Await.get(acquisition.answer()).result()));
        }
    }

    private void renew(Side side) {
        LeaseId leaseId = someLease();
        Optional<Duration> lease = random.nextBoolean() ? Optional.empty() : Optional.of(LONG);
        doing = "renew " + leaseId;
        RenewResult expected = apply(new Command.Renew(leaseId, lease), side);
        RenewResult told = Await.get(side.engine.renew(KEY, leaseId, lease)).result();
        same(shown(expected), shown(told));
    }

    private void release(Side side) {
        LeaseId leaseId = someLease();
        if (model.position(leaseId) > 0) {
            return; // the caller of that place is told by its own engine, in its own time
        }
        doing = "release " + leaseId;
        Object expected = apply(new Command.Release(leaseId, Command.Ending.RELEASED), side);
        same(expected, Await.get(side.engine.release(KEY, leaseId)).result());
    }

    private void force(Side side) {
        Optional<LeaseId> victim = model.holds().stream().map(Hold::leaseId).findFirst();
        doing = "force " + victim;
        Token seen = victim.flatMap(id -> stored().hold(id)).map(Hold::token).orElse(new Token(1));
        Token modelled = victim.flatMap(model::hold).map(Hold::token).orElse(new Token(1));
        ForceResult expected = apply(new Command.ForceRelease(modelled, "op", "why"), side);
        ForceResult told = Await.get(side.engine.force(KEY, seen, "op", "why")).result();
        same(shown(expected), shown(told));
    }

    private void cancel(Side side) {
        Optional<LeaseId> some = side.waiting.keySet().stream().min(Comparator.comparing(LeaseId::value));
        if (some.isEmpty()) {
            return;
        }
        doing = "cancel " + some.get();
        side.parked.remove(some.get());
        apply(new Command.Withdraw(some.get()), side);
        Acquisition leaving = side.waiting.remove(some.get());
        if (leaving != null) {
            leaving.cancel();
        }
    }

    private void pass(Duration time) {
        doing = "let " + time + " pass";
        fixture.advance(time);
        leaveTheEdge();
        for (Side side : sides) {
            apply(new Command.Touch(EngineConfig.DEFAULT.staleAfter()), side);
        }
    }

    // ---- the model

    private <R> R apply(Command<R> command, Side side) {
        dev.holdfast.internal.rules.Decision<R> decision =
                command.applyTo(rules, model, Moment.exactly(now()), side.here());
        model = decision.record();
        claim();
        return decision.result();
    }

    /** What was offered to a caller of the other engine is claimed by it. */
    private void claim() {
        for (Side side : sides) {
            for (Hold hold : model.holds()) {
                Terms terms = side.parked.get(hold.leaseId());
                if (hold.phase() == Hold.Phase.OFFERED && terms != null) {
                    Command.Acquire ask =
                            new Command.Acquire(hold.leaseId(), hold.scope(), hold.owner(), terms, Optional.of(CLAIM));
                    model = rules.acquire(model, ask, Moment.exactly(now()), side.here())
                            .record();
                }
            }
        }
    }

    private Instant now() {
        return Await.get(sides.get(0).engine.now()).latest();
    }

    /** Lets a little time pass while some lease is about to end. */
    private void leaveTheEdge() {
        for (int i = 0; i < 100; i++) {
            Instant now = now();
            boolean near = model.holds().stream()
                    .anyMatch(h -> Duration.between(now, h.expiresAt()).abs().compareTo(EDGE) < 0);
            if (!near) {
                return;
            }
            fixture.advance(EDGE);
        }
    }

    // ---- comparing

    /** Waits until the stored record and the waiting callers are as the model says. */
    private void settle() {
        for (Side side : sides) {
            for (LeaseId leaseId : List.copyOf(side.waiting.keySet())) {
                Acquisition waiting = side.waiting.get(leaseId);
                if (waiting != null && model.position(leaseId) == 0) {
                    AcquireResult told = Await.get(waiting.answer()).result();
                    same(model.hold(leaseId).isPresent(), told instanceof AcquireResult.Granted);
                    side.waiting.remove(leaseId);
                    side.parked.remove(leaseId);
                }
            }
        }
        String expected = shown(judged());
        long end = System.nanoTime() + Await.LIMIT.toNanos();
        String found = shown(judged(stored()));
        while (!found.equals(expected) && System.nanoTime() - end < 0) {
            fixture.advance(Duration.ofMillis(10));
            found = shown(judged(stored()));
            expected = shown(judged());
        }
        same(expected, found);
    }

    private LockRecord judged() {
        return judged(model);
    }

    /** As it is once time has been judged: the store's record may still show what has expired. */
    private LockRecord judged(LockRecord record) {
        Command.Touch touch = new Command.Touch(LONG);
        return rules.touch(record, touch, Moment.exactly(now()), sides.get(0).here())
                .record();
    }

    private LockRecord stored() {
        return Await.get(sides.get(0).engine.read(KEY)).orElseGet(() -> LockRecord.empty(KEY));
    }

    private void same(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("seed " + seed + ", step " + step + " (" + doing + "): the rules say\n  "
                    + expected + "\nbut the store, through the engine,\n  " + found + "\nmodel: " + model + "\nstored: "
                    + stored());
        }
    }

    private void tokenGrows(Hold hold) {
        boolean isNew = hold.grantedAt().equals(hold.renewedAt());
        if (isNew && hold.token().compareTo(highest) < 0) {
            throw new AssertionError(
                    "seed " + seed + ", step " + step + ": token " + hold.token() + " after " + highest);
        }
        highest = hold.token().compareTo(highest) > 0 ? hold.token() : highest;
    }

    private static String shown(LockRecord record) {
        TreeMap<String, String> holds = new TreeMap<>();
        record.holds().forEach(h -> holds.put(h.leaseId().value(), h.scope() + " " + h.owner() + " " + h.phase()));
        List<String> queue =
                record.queue().stream().map(waiter -> waiter.leaseId().value()).toList();
        TreeSet<String> ended =
                new TreeSet<>(List.of(record.past().ended().toString().split(";", -1)));
        return "holds " + holds + " queue " + queue + " ended " + ended;
    }

    private static String shown(AcquireResult result) {
        return result.fold(
                granted ->
                        "granted " + granted.hold().leaseId() + granted.hold().owner(),
                queued -> "queued " + queued.position() + ids(queued.holders()),
                busy -> "busy " + ids(busy.holders()) + busy.queueLength() + busy.full(),
                lost -> "lost " + lost.reason());
    }

    private static String shown(RenewResult result) {
        return result.fold(
                renewed ->
                        "renewed " + renewed.hold().leaseId() + renewed.hold().terms(),
                lost -> "lost " + lost.reason());
    }

    private static String shown(ForceResult result) {
        return result.fold(
                forced -> "forced " + forced.victim().leaseId(), changed -> "changed " + ids(changed.holders()));
    }

    private static String ids(List<Hold> holds) {
        TreeSet<String> ids = new TreeSet<>();
        holds.forEach(hold -> ids.add(hold.leaseId().value()));
        return ids.toString();
    }

    // ---- choosing

    private Command.Acquire ask(Side side, Optional<Duration> claim) {
        boolean again = !side.known.isEmpty() && random.nextInt(5) == 0;
        LeaseId leaseId = again ? side.known.get(random.nextInt(side.known.size())) : newLease(side);
        Mode mode = switch (random.nextInt(3)) {
            case 0 -> Mode.EXCLUSIVE;
            case 1 -> Mode.SHARED;
            default -> Mode.permit(1 + random.nextInt(3));
        };
        List<List<LockPath>> choices = List.of(
                List.of(LockPath.WHOLE),
                List.of(LockPath.of("a")),
                List.of(LockPath.of("a/b")),
                List.of(LockPath.of("b"), LockPath.of("a/c")));
        Duration lease = claim.isPresent() || random.nextBoolean() ? LONG : SHORT;
        Terms terms = new Terms(lease, Duration.ZERO, Duration.ZERO, Map.of("step", "" + step), "");
        Scope scope = new Scope(choices.get(random.nextInt(choices.size())), mode);
        return new Command.Acquire(leaseId, scope, "owner-" + random.nextInt(2), terms, claim);
    }

    private LeaseId newLease(Side side) {
        LeaseId leaseId = new LeaseId("random-lease-" + leases++);
        side.known.add(leaseId);
        return leaseId;
    }

    private LeaseId someLease() {
        return leases == 0 ? new LeaseId("never-asked-for") : new LeaseId("random-lease-" + random.nextInt(leases));
    }

    private static Request request(Command.Acquire ask, Duration wait) {
        return new Request(KEY, ask.leaseId(), ask.scope(), ask.owner(), ask.terms(), wait, Duration.ZERO);
    }
}
