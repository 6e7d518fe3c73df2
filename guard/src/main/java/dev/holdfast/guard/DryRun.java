package dev.holdfast.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says what a stop or start would decide now. Takes no lock, stores nothing, acts on nothing. */
final class DryRun {
    private static final String DRY = "dry run: ";

    private final GuardContext shop;

    DryRun(GuardContext shop) {
        this.shop = shop;
    }

    GuardDecision stop(String id, String app) throws InterruptedException {
        ResourceSnapshot scene = ResourceSnapshot.read(shop.files(), id);
        Optional<String> problem = problem(scene);
        if (problem.isPresent()) {
            return answer(scene, app, GuardOutcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        if (scene.mayNotRun() && state(scene) == ResourceState.STOPPED) {
            return answer(scene, app, GuardOutcome.STOPPED, "it is stopped", List.of());
        }
        List<App> apps = new ArrayList<>();
        for (App one : scene.apps()) {
            apps.add(one.name().equals(app) ? one.wished(Desired.STOPPED, Optional.empty()) : one);
        }
        return judge(new ResourceSnapshot(scene.stored(), scene.unit(), apps), app);
    }

    private GuardDecision judge(ResourceSnapshot scene, String app) throws InterruptedException {
        CallerPatience patience = CallerPatience.of(shop.config());
        ResourceRecord resource = scene.resource();
        while (true) {
            AppProbes.Looked looked = shop.looks().count(resource, scene.apps(), shop.probe(scene));
            StopRules.Ruling ruling =
                    StopRules.judge(looked.sightings(), shop.config().downConfirmations());
            if (ruling.missing() != StopRules.Missing.LOOKS || !patience.hasTime()) {
                String would = ruling.mayStop() ? "it would be stopped: " : "";
                return answer(scene, app, ruling.outcome(), would + ruling.reason(), looked.evidence());
            }
            resource = resource.counted(looked.counts());
            patience.pause();
        }
    }

    GuardDecision start(String id, String app) {
        ResourceSnapshot scene = ResourceSnapshot.read(shop.files(), id);
        Optional<String> problem = problem(scene);
        if (problem.isPresent()) {
            return answer(scene, app, GuardOutcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        String reason = state(scene) == ResourceState.RUNNING ? "it runs" : "it would be started";
        return answer(scene, app, GuardOutcome.STARTED, reason, List.of());
    }

    private ResourceState state(ResourceSnapshot scene) {
        return shop.hands().state(shop.hands().target(scene.unit().orElseThrow(), scene.resource(), 0));
    }

    private Optional<String> problem(ResourceSnapshot scene) {
        return scene.isGone()
                ? Optional.of("no registered app uses it")
                : shop.hands().problem(scene.unit().orElseThrow(), scene.resource());
    }

    private GuardDecision answer(ResourceSnapshot scene, String app, GuardOutcome outcome, String reason, List<Evidence> evidence) {
        boolean recorded = scene.unit()
                .filter(unit -> shop.hands().recordsOnly(unit, scene.resource()))
                .isPresent();
        return new GuardDecision(
                scene.resource().id(),
                outcome,
                DRY + reason,
                evidence,
                app,
                shop.clock().instant(),
                0,
                recorded);
    }
}
