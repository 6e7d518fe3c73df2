package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
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
import java.util.function.UnaryOperator;

/**
 * Says what a stop or start would decide now: asks the same rules as a {@link ResourcePass}, as if the wish were stored, and tells
 * the step they want instead of taking it. Takes no lock, stores nothing, acts on nothing, and what it sees of apps does not count.
 */
record DryRun(GuardContext context) {
    GuardDecision judge(String id, String app, ResourceFacts.Errand errand) throws InterruptedException {
        return judge(new ResourceFacts.Task(id, errand, app, 0), CallerPatience.of(context.config()));
    }

    GuardDecision judge(ResourceFacts.Task task, CallerPatience patience) throws InterruptedException {
        AppProbes probes = context.probes().notCounting();
        ResourceFacts known = context.facts(task, wished(task));
        while (true) {
            Step step = context.rules().apply(known);
            if (step == Step.Ask.STATE) {
                known = context.withState(known);
            } else if (step == Step.Ask.APPS) {
                ResourceSnapshot snapshot = known.snapshot();
                known = known.looked(
                        probes.count(snapshot.resource(), snapshot.apps(), context.probe(snapshot)),
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

    private ResourceSnapshot wished(ResourceFacts.Task task) {
        ResourceSnapshot snapshot = context.documents().snapshot(task.id());
        Instant now = context.clock().instant();
        boolean stop = task.errand() == ResourceFacts.Errand.STOP;
        UnaryOperator<App> wish = stop
                ? app -> app.wished(DesiredState.STOPPED, Optional.empty())
                : app -> app.wished(
                        DesiredState.AUTO, Optional.of(now.plus(context.config().startingTimeout())));
        List<App> apps = snapshot.apps().stream()
                .map(app -> app.name().equals(task.caller()) ? wish.apply(app) : app)
                .toList();
        ResourceRecord resource = snapshot.resource();
        return snapshot.with(
                stop ? resource.wanted(new Intent(task.caller(), now)) : resource.withdrawnBy(task.caller()), apps);
    }

    private GuardDecision told(ResourceFacts known, Step step) {
        boolean start = known.task().errand() == ResourceFacts.Errand.START;
        if (step instanceof Step.Rehearse rehearsal) {
            return answer(
                    known, rehearsal.decision().outcome(), rehearsal.decision().reason());
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

    private GuardDecision answer(ResourceFacts known, GuardOutcome outcome, String reason) {
        List<Evidence> evidence = known.looked()
                .map(seen -> seen.evidence(context.config().downConfirmations()))
                .orElse(List.of());
        return known.answer(outcome, "dry run: " + reason, evidence);
    }
}
