package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.Desired;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.guard.rules.Step;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Says what a stop or start would decide now: asks the same rules as a {@link ResourcePass}, as if the wish were stored, and tells
 * the step they want instead of taking it. Takes no lock, stores nothing, acts on nothing.
 */
final class DryRun {
    private final GuardContext context;

    DryRun(GuardContext context) {
        this.context = context;
    }

    GuardDecision stop(String id, String app) throws InterruptedException {
        ResourceSnapshot snapshot = context.documents().snapshot(id);
        Instant now = context.clock().instant();
        return judge(
                ResourceFacts.Errand.STOP,
                app,
                wished(
                        snapshot,
                        snapshot.resource().wanted(new Intent(app, now)),
                        app,
                        Desired.STOPPED,
                        Optional.empty()));
    }

    GuardDecision start(String id, String app) throws InterruptedException {
        ResourceSnapshot snapshot = context.documents().snapshot(id);
        Instant until = context.clock().instant().plus(context.config().startingTimeout());
        return judge(
                ResourceFacts.Errand.START,
                app,
                wished(snapshot, snapshot.resource().withdrawnBy(app), app, Desired.AUTO, Optional.of(until)));
    }

    private static ResourceSnapshot wished(
            ResourceSnapshot snapshot, ResourceRecord resource, String app, Desired desired, Optional<Instant> until) {
        List<App> apps = snapshot.apps().stream()
                .map(one -> one.name().equals(app) ? one.wished(desired, until) : one)
                .toList();
        return snapshot.with(resource, apps);
    }

    private GuardDecision judge(ResourceFacts.Errand errand, String app, ResourceSnapshot first)
            throws InterruptedException {
        CallerPatience patience = CallerPatience.of(context.config());
        ResourceFacts.Task task = new ResourceFacts.Task(first.resource().id(), errand, app, 0);
        ResourceFacts known = context.facts(task, first);
        while (true) {
            Step step = context.rules().apply(known);
            if (step == Step.Ask.STATE) {
                known = context.withState(known);
            } else if (step == Step.Ask.APPS) {
                ResourceSnapshot snapshot = known.snapshot();
                known = known.looked(
                        context.probes().count(snapshot.resource(), snapshot.apps(), context.probe(snapshot)),
                        context.clock().instant());
            } else if (step instanceof Step.Confirm confirm && patience.hasTime()) {
                patience.pause();
                known = context.facts(
                        task,
                        known.snapshot().with(confirm.next(), known.snapshot().apps()));
            } else {
                return told(known, step);
            }
        }
    }

    private static GuardDecision told(ResourceFacts known, Step step) {
        boolean start = known.task().errand() == ResourceFacts.Errand.START;
        if (step instanceof Step.Rehearse rehearsal) {
            return answer(known, GuardOutcome.STOPPED, "it would be stopped: " + rehearsal.reason());
        }
        if (step instanceof Step.Act act) {
            return act.kind() == Step.Kind.STOP
                    ? answer(known, GuardOutcome.STOPPED, "it would be stopped: " + act.reason())
                    : answer(known, start ? GuardOutcome.STARTED : GuardOutcome.PENDING, "it would be started");
        }
        GuardDecision decision = ((Step.Ending) step).decision();
        return answer(
                known,
                decision.outcome(),
                start && decision.outcome() == GuardOutcome.STARTED ? "it runs" : decision.reason());
    }

    private static GuardDecision answer(ResourceFacts known, GuardOutcome outcome, String reason) {
        List<Evidence> evidence = known.looked().map(seen -> seen.evidence()).orElse(List.of());
        return known.answer(outcome, "dry run: " + reason, evidence);
    }
}
