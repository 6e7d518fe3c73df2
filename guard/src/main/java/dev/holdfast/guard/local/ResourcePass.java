package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.registry.ResourceLocks;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.rules.AppObservations;
import dev.holdfast.guard.rules.GuardRules;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.guard.rules.Step;
import java.util.List;
import java.util.Optional;

/**
 * One judgement of a resource, under its lock: reads everything anew, and does what {@link GuardRules} says, a step at a time,
 * until something is decided.
 *
 * <p>A pass may die anywhere. What is about to be done is stored before it is done; the next pass reads back what came of it.
 * Every step writes by compare-and-set on what was read, so a change by anybody else, or by a later holder of the lock, sends
 * it back to the beginning.
 */
final class ResourcePass {
    /** How often others may get in between. */
    private static final int MAX_ROUNDS = 100;

    private final GuardContext context;
    private final ResourceFacts.Task task;
    private final ResourceLocks.HeldResource hold;
    private final CallerPatience patience;
    private Optional<ResourceFacts> known = Optional.empty(); // empty: from the beginning
    private Optional<Step.Act> toDo = Optional.empty(); // written, not done yet
    private boolean checked; // and still so
    private int rounds;

    ResourcePass(
            GuardContext context,
            String id,
            String caller,
            ResourceFacts.Errand errand,
            ResourceLocks.HeldResource hold) {
        this(
                context,
                new ResourceFacts.Task(id, errand, caller, hold.token()),
                hold,
                errand == ResourceFacts.Errand.RECONCILE ? CallerPatience.NONE : CallerPatience.of(context.config()));
    }

    ResourcePass(
            GuardContext context, ResourceFacts.Task task, ResourceLocks.HeldResource hold, CallerPatience patience) {
        this.context = context;
        this.task = task;
        this.hold = hold;
        this.patience = patience;
    }

    GuardDecision run() throws InterruptedException {
        while (true) {
            Optional<GuardDecision> decided = advance();
            if (decided.isPresent()) {
                return decided.get();
            }
        }
    }

    /** Takes one step, which reads, looks, asks, writes or acts once; the decision if that was the last one. */
    Optional<GuardDecision> advance() throws InterruptedException {
        boolean done = known.isPresent() && known.get().acted().isPresent(); // then it is told, also late
        if (!done && !hold.isValid()) {
            return Optional.of(
                    answer(GuardOutcome.SKIPPED_LOCK, "the lock was lost in the meantime; it will be judged again"));
        }
        if (toDo.isPresent()) {
            if (checked) {
                act(toDo.get().kind(), toDo.get().reason());
            } else {
                check(toDo.get());
            }
            return Optional.empty();
        }
        if (known.isEmpty()) {
            if (rounds++ == MAX_ROUNDS) {
                return Optional.of(answer(GuardOutcome.PENDING, "others kept changing it; it will be judged again"));
            }
            known = Optional.of(context.facts(task, context.documents().snapshot(task.id())));
            return Optional.empty();
        }
        Step step = context.rules().apply(known.get());
        if (step instanceof Step.Ending ending) {
            return end(ending);
        }
        if (step == Step.Ask.STATE) {
            known = known.map(context::withState);
        } else if (step == Step.Ask.APPS) {
            look();
        } else if (step instanceof Step.Rehearse rehearsal) {
            act(Step.Kind.STOP_DRY, rehearsal.reason());
        } else {
            write((Step.Act) step);
        }
        return Optional.empty();
    }

    private Optional<GuardDecision> end(Step.Ending step) throws InterruptedException {
        if (step instanceof Step.Decide decide) {
            known.orElseThrow()
                    .snapshot()
                    .unit()
                    .ifPresent(unit -> context.log().judged(unit, decide.decision()));
            return ending(record(decide.next(), decide.decision()));
        }
        if (step instanceof Step.Confirm confirm) {
            return confirm(confirm);
        }
        if (step instanceof Step.Settle settle) {
            return settle(settle);
        }
        if (step instanceof Step.Clear clear) {
            return ending(write(clear.next()) ? Optional.of(clear.decision()) : Optional.empty());
        }
        return Optional.of(step.decision());
    }

    private void look() throws InterruptedException {
        ResourceFacts now = known.orElseThrow();
        ResourceSnapshot snapshot = now.snapshot();
        StopUnit unit = snapshot.unit().orElseThrow();
        context.log().looking(unit);
        AppObservations looked = context.lookAt(snapshot, context.probe(snapshot));
        context.log().seen(unit.id(), looked.each());
        looked.started(snapshot.apps()).forEach(this::hasStarted);
        // A run of failures was ended in the store: what was read is no longer what is stored.
        known = looked.over().isEmpty()
                ? Optional.of(now.looked(looked, context.clock().instant()))
                : Optional.empty();
    }

    /** An app that is seen up is not starting any more. */
    private void hasStarted(App app) {
        // If it changes at this moment, the next look does it.
        context.documents()
                .app(app.name())
                .filter(stored -> stored.value().equals(app))
                .ifPresent(stored -> context.documents()
                        .write(List.of(context.documents()
                                .put(app.wished(app.desired(), Optional.empty()), stored.unchanged()))));
    }

    // ---- doing

    /** What will be done is stored first; it is done in the next step. */
    private void write(Step.Act act) {
        ResourceFacts now = known.orElseThrow();
        String actuator = context.target(now).actuator();
        Step.Act noted = new Step.Act(act.kind(), act.next().actedOnBy(actuator), act.going(), act.reason());
        if (record(noted.next(), noted.going()).isEmpty()) {
            known = Optional.empty(); // somebody started, registered or asked meanwhile
        } else {
            toDo = Optional.of(noted);
        }
    }

    /** If somebody has changed it since it was written that it will be stopped, perhaps as an app starts, nothing is done. */
    private void check(Step.Act act) {
        checked = act.kind() == Step.Kind.START
                || context.documents().resource(task.id()).value().version()
                        == known.orElseThrow().resource().version() + 1;
        if (!checked) {
            toDo = Optional.empty();
            known = Optional.empty();
        }
    }

    private void act(Step.Kind kind, String reason) {
        toDo = Optional.empty();
        checked = false;
        ResourceFacts now = known.orElseThrow();
        if (kind == Step.Kind.STOP) {
            context.log().stopping(now.snapshot().unit().orElseThrow());
        }
        ActResult result = context.actuators().act(kind, context.target(now), reason);
        known = Optional.of(now.acted(kind, result, context.clock().instant()));
    }

    // ---- writing

    private Optional<GuardDecision> confirm(Step.Confirm confirm) throws InterruptedException {
        if (!patience.hasTime()) {
            return ending(record(confirm.next(), confirm.decision()));
        }
        if (write(confirm.next())) {
            patience.pause();
        }
        known = Optional.empty();
        return Optional.empty();
    }

    /** Without a decision, something had changed: from the beginning. */
    private Optional<GuardDecision> ending(Optional<GuardDecision> decided) {
        known = Optional.empty();
        return decided;
    }

    private boolean write(ResourceRecord next) {
        ResourceSnapshot snapshot = known.orElseThrow().snapshot();
        return next.equals(snapshot.resource()) || context.documents().write(snapshot.stored(), next);
    }

    /** Stores a decision with what else changes, if the resource is as it was read; empty if it is not. */
    private Optional<GuardDecision> record(ResourceRecord next, GuardDecision decision) {
        ResourceSnapshot snapshot = known.orElseThrow().snapshot();
        boolean repeated = task.errand() == ResourceFacts.Errand.RECONCILE
                && snapshot.resource().decisions().stream()
                        .findFirst()
                        .filter(decision::repeats)
                        .isPresent();
        if (repeated) {
            return write(next) ? Optional.of(decision) : Optional.empty();
        }
        if (!context.documents().write(snapshot.stored(), next.decided(decision))) {
            return Optional.empty();
        }
        context.publisher().tell(decision, hold.owner(), hold.lease());
        return Optional.of(decision);
    }

    private Optional<GuardDecision> settle(Step.Settle settle) {
        long token = task.token();
        ResourceRecord settled = context.documents()
                .update(
                        task.id(),
                        now -> now.token() > token
                                ? now
                                : settle.change().apply(now).decided(settle.decision()));
        known = Optional.empty();
        if (settled.token() > token) {
            return Optional.of(answer(GuardOutcome.SKIPPED_LOCK, "somebody with a newer token has acted meanwhile"));
        }
        context.publisher().tell(settle.decision(), hold.owner(), hold.lease());
        return settle.goesOn() ? Optional.empty() : Optional.of(settle.decision());
    }

    private GuardDecision answer(GuardOutcome outcome, String reason) {
        return task.unjudged(outcome, reason, context.clock().instant());
    }
}
