package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Visits every state the rules can bring one record into within tiny bounds, breadth first: three acquisitions from two
 * engines, all commands, time passing in coarse steps. In every state the rules' own promises must hold, so what it does
 * not find does not exist within the bounds.
 */
public final class Explorer {
    private static final RecordKey KEY = new RecordKey("explore", "one");
    private static final Instant START = Instant.ofEpochSecond(1_800_000_000L);
    private static final long TICK_MILLIS = 250;
    private static final Duration LEASE = Duration.ofMillis(500);

    /**
     * What was found.
     *
     * @param states how many different states were visited
     * @param depth after how many steps the last was reached
     * @param problem the first broken promise with the steps that lead to it
     */
    public record Report(int states, int depth, Optional<String> problem) {}

    private record State(LockRecord record, int tick) {}

    private record Visit(State state, int depth, String step, Optional<Visit> from) {
        /** The steps that lead here, and one more. */
        List<String> path(String last) {
            List<String> names = new ArrayList<>(List.of(last));
            for (Visit at = this; at.from().isPresent(); at = at.from().get()) {
                names.add(0, at.step());
            }
            return names;
        }
    }

    private record Actor(LeaseId id, Scope scope, EngineId engine) {}

    private final LockRules rules;
    private final List<Actor> actors;

    private Explorer(LockRules rules, List<Scope> scopes) {
        this.rules = rules;
        List<Actor> all = new ArrayList<>();
        for (int i = 0; i < scopes.size(); i++) {
            all.add(new Actor(new LeaseId("lease-00" + i), scopes.get(i), new EngineId("engine-" + i % 2)));
        }
        this.actors = all;
    }

    /** Explores exclusive, shared and nested acquisitions in turn, up to this many states each. */
    public static List<Report> exploreAll(int maxStates) {
        return exploreAll(new LockRules(), maxStates);
    }

    static List<Report> exploreAll(LockRules rules, int maxStates) {
        Scope shared = Scope.of(LockPath.WHOLE, Mode.SHARED);
        Scope two = Scope.of(LockPath.WHOLE, Mode.permit(2));
        Scope parent = Scope.of(LockPath.of("a"), Mode.EXCLUSIVE);
        Scope child = Scope.of(LockPath.of("a/b"), Mode.EXCLUSIVE);
        return Stream.of(
                        List.of(Scope.WHOLE, Scope.WHOLE, Scope.WHOLE),
                        List.of(shared, Scope.WHOLE, shared),
                        List.of(two, two, two),
                        List.of(parent, child, Scope.WHOLE))
                .parallel()
                .map(scopes -> new Explorer(rules, scopes).explore(maxStates))
                .toList();
    }

    private Report explore(int maxStates) {
        Set<State> seen = new HashSet<>();
        Deque<Visit> next = new ArrayDeque<>();
        State start = new State(LockRecord.empty(KEY), 0);
        seen.add(start);
        next.add(new Visit(start, 0, "", Optional.empty()));
        int depth = 0;
        while (!next.isEmpty() && seen.size() < maxStates) {
            Visit visit = next.removeFirst();
            depth = visit.depth();
            for (Step step : steps(visit.state())) {
                Optional<String> problem = broken(visit.state(), step);
                if (problem.isPresent()) {
                    String path = " after " + visit.path(step.name());
                    return new Report(seen.size(), depth, Optional.of(problem.get() + path));
                }
                if (seen.add(step.to())) {
                    next.add(new Visit(step.to(), visit.depth() + 1, step.name(), Optional.of(visit)));
                }
            }
        }
        return new Report(seen.size(), depth, Optional.empty());
    }

    private record Step(
            String name, State to, Optional<Decision<?>> decision, Optional<Command<?>> command, DecidingEngine here) {}

    private List<Step> steps(State from) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                "time passes",
                new State(from.record(), from.tick() + 1),
                Optional.empty(),
                Optional.empty(),
                nobody()));
        for (Actor actor : actors) {
            Terms terms = new Terms(LEASE, Duration.ZERO, Duration.ZERO, Map.of(), "");
            DecidingEngine here = DecidingEngine.of(actor.engine());
            step(steps, from, here, new Command.Acquire(actor.id(), actor.scope(), "o", terms, Optional.empty()));
            step(
                    steps,
                    from,
                    here,
                    new Command.Acquire(actor.id(), actor.scope(), "o", terms, Optional.of(Duration.ofMillis(250))));
            step(steps, from, here, new Command.Renew(actor.id(), Optional.empty()));
            step(steps, from, here, new Command.Release(actor.id(), Command.Ending.RELEASED));
            step(steps, from, here, new Command.Withdraw(actor.id()));
        }
        step(steps, from, nobody(), new Command.Touch(Duration.ofSeconds(60)));
        from.record().holds().stream()
                .findFirst()
                .ifPresent(hold -> step(steps, from, nobody(), new Command.ForceRelease(hold.token(), "op", "why")));
        return steps;
    }

    private static DecidingEngine nobody() {
        return DecidingEngine.of(new EngineId("engine-9"));
    }

    private void step(List<Step> steps, State from, DecidingEngine here, Command<?> command) {
        Decision<?> decision = command.applyTo(rules, from.record(), moment(from), here);
        String name = command.getClass().getSimpleName() + shortId(command);
        steps.add(new Step(
                name, new State(decision.record(), from.tick()), Optional.of(decision), Optional.of(command), here));
    }

    private static String shortId(Command<?> command) {
        if (command instanceof Command.Acquire ask) {
            return " " + ask.leaseId().value() + (ask.claimWithin().isPresent() ? " waiting" : "");
        }
        if (command instanceof Command.Renew ask) {
            return " " + ask.leaseId().value();
        }
        return command instanceof Command.Release ask ? " " + ask.leaseId().value() : "";
    }

    private static Moment moment(State state) {
        return Moment.exactly(START.plusMillis(TICK_MILLIS * state.tick()));
    }

    // ---- what must hold

    private Optional<String> broken(State from, Step step) {
        if (step.decision().isEmpty() || step.command().isEmpty()) {
            return Optional.empty();
        }
        LockRecord before = from.record();
        LockRecord after = step.to().record();
        Moment now = moment(from);
        for (Hold hold : after.holds()) {
            boolean fresh = before.hold(hold.leaseId()).isEmpty();
            if (fresh && hold.token().compareTo(before.fence()) <= 0) {
                return Optional.of("token " + hold.token() + " is not above " + before.fence());
            }
            if (fresh && before.past().how(hold.leaseId()).isPresent()) {
                return Optional.of(hold.leaseId() + " was granted after it had ended");
            }
            if (now.isOver(hold)) {
                return Optional.of(hold.leaseId() + " is over but still there");
            }
        }
        if (after.fence().compareTo(before.fence()) < 0) {
            return Optional.of("the fence went back");
        }
        if (Checker.excludeEachOther(after)) {
            return Optional.of("holds exclude each other: " + after.holds());
        }
        return Checker.leftWaiting(after, waiter -> true) // everybody here waits with a window for a claim
                .map(left -> left + " is left waiting for a free lock")
                .or(() -> notIdempotent(from, step));
    }

    /** Sent twice, a command must leave the record as sent once (its answer may be "already"). */
    private Optional<String> notIdempotent(State from, Step step) {
        Decision<?> again = step.command().get().applyTo(rules, step.to().record(), moment(from), step.here());
        boolean sameHolds = tokens(again.record()).equals(tokens(step.to().record()));
        boolean refusedFirst = step.decision().get().result() instanceof AcquireResult.Busy;
        return sameHolds || refusedFirst
                ? Optional.empty()
                : Optional.of("sent twice, " + step.name() + " changes more");
    }

    private static Set<Token> tokens(LockRecord record) {
        Set<Token> tokens = new HashSet<>();
        record.holds().forEach(hold -> tokens.add(hold.token()));
        return tokens;
    }
}
