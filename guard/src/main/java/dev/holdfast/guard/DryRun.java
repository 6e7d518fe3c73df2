package dev.holdfast.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says what a stop or start would decide now. Takes no lock, stores nothing, acts on nothing. */
final class DryRun {
    private static final String DRY = "dry run: ";

    private final GuardContext context;

    DryRun(GuardContext context) {
        this.context = context;
    }

    GuardDecision stop(String id, String app) throws InterruptedException {
        ResourceSnapshot snapshot = ResourceSnapshot.read(context.documents(), id);
        Optional<String> problem = problem(snapshot);
        if (problem.isPresent()) {
            return answer(snapshot, app, GuardOutcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        if (snapshot.mayNotRun() && state(snapshot) == ResourceState.STOPPED) {
            return answer(snapshot, app, GuardOutcome.STOPPED, "it is stopped", List.of());
        }
        List<App> apps = new ArrayList<>();
        for (App one : snapshot.apps()) {
            apps.add(one.name().equals(app) ? one.wished(Desired.STOPPED, Optional.empty()) : one);
        }
        return judge(new ResourceSnapshot(snapshot.stored(), snapshot.unit(), apps), app);
    }

    private GuardDecision judge(ResourceSnapshot snapshot, String app) throws InterruptedException {
        CallerPatience patience = CallerPatience.of(context.config());
        ResourceRecord resource = snapshot.resource();
        while (true) {
            AppProbes.Looked looked = context.probes().count(resource, snapshot.apps(), context.probe(snapshot));
            StopRules.Ruling ruling =
                    StopRules.judge(looked.sightings(), context.config().downConfirmations());
            if (ruling.missing() != StopRules.Missing.LOOKS || !patience.hasTime()) {
                String would = ruling.mayStop() ? "it would be stopped: " : "";
                return answer(snapshot, app, ruling.outcome(), would + ruling.reason(), looked.evidence());
            }
            resource = resource.counted(looked.counts());
            patience.pause();
        }
    }

    GuardDecision start(String id, String app) {
        ResourceSnapshot snapshot = ResourceSnapshot.read(context.documents(), id);
        Optional<String> problem = problem(snapshot);
        if (problem.isPresent()) {
            return answer(snapshot, app, GuardOutcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        String reason = state(snapshot) == ResourceState.RUNNING ? "it runs" : "it would be started";
        return answer(snapshot, app, GuardOutcome.STARTED, reason, List.of());
    }

    private ResourceState state(ResourceSnapshot snapshot) {
        return context.actuators().state(context.actuators().target(snapshot.unit().orElseThrow(), snapshot.resource(), 0));
    }

    private Optional<String> problem(ResourceSnapshot snapshot) {
        return snapshot.isGone()
                ? Optional.of("no registered app uses it")
                : context.actuators().problem(snapshot.unit().orElseThrow(), snapshot.resource());
    }

    private GuardDecision answer(ResourceSnapshot snapshot, String app, GuardOutcome outcome, String reason, List<Evidence> evidence) {
        boolean recorded = snapshot.unit()
                .filter(unit -> context.actuators().recordsOnly(unit, snapshot.resource()))
                .isPresent();
        return new GuardDecision(
                snapshot.resource().id(),
                outcome,
                DRY + reason,
                evidence,
                app,
                context.clock().instant(),
                0,
                recorded);
    }
}
