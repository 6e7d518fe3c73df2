package dev.holdfast.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Says what a stop or start would decide now. Takes no lock, stores nothing, acts on nothing. */
final class DryRun {
    private static final String DRY = "dry run: ";

    private final Workshop shop;

    DryRun(Workshop shop) {
        this.shop = shop;
    }

    Decision stop(String id, String app) throws InterruptedException {
        Scene scene = Scene.read(shop.files(), id);
        Optional<String> problem = problem(scene);
        if (problem.isPresent()) {
            return answer(id, app, Outcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        Unit unit = scene.unit().orElseThrow();
        if (scene.mayNotRun() && shop.hands().state(unit, 0) == ResourceState.STOPPED) {
            return answer(id, app, Outcome.STOPPED, "it is stopped", List.of());
        }
        List<App> apps = new ArrayList<>();
        for (App one : scene.apps()) {
            apps.add(one.name().equals(app) ? one.wished(Desired.STOPPED, Optional.empty()) : one);
        }
        return judge(id, app, apps, scene.resource().downs());
    }

    private Decision judge(String id, String app, List<App> apps, Map<String, Resource.Downs> before)
            throws InterruptedException {
        Patience patience = new Patience(shop.config());
        Map<String, Resource.Downs> counts = before;
        while (true) {
            Looks.Looked looked = look(apps, counts);
            StopRules.Ruling ruling =
                    StopRules.judge(looked.sightings(), shop.config().downConfirmations());
            if (!ruling.confirming() || !patience.hasTime()) {
                String would = ruling.mayStop() ? "it would be stopped: " : "";
                return answer(id, app, ruling.outcome(), would + ruling.reason(), looked.evidence());
            }
            counts = looked.counts();
            patience.pause();
        }
    }

    private Looks.Looked look(List<App> apps, Map<String, Resource.Downs> counts) throws InterruptedException {
        try {
            return shop.looks().count(apps, shop.looks().all(apps).get(), counts);
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at apps never fails", e);
        }
    }

    Decision start(String id, String app) {
        Scene scene = Scene.read(shop.files(), id);
        Optional<String> problem = problem(scene);
        if (problem.isPresent()) {
            return answer(id, app, Outcome.SKIPPED_UNKNOWN, problem.get(), List.of());
        }
        ResourceState state = shop.hands().state(scene.unit().orElseThrow(), 0);
        String reason = state == ResourceState.RUNNING ? "it runs" : "it would be started";
        return answer(id, app, Outcome.STARTED, reason, List.of());
    }

    private Optional<String> problem(Scene scene) {
        return scene.isGone()
                ? Optional.of("no registered app uses it")
                : shop.hands().problem(scene.unit().orElseThrow());
    }

    private Decision answer(String id, String app, Outcome outcome, String reason, List<Evidence> evidence) {
        return new Decision(
                id, outcome, DRY + reason, evidence, app, shop.clock().instant(), 0);
    }
}
