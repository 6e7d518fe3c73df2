package dev.holdfast.guard;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings a resource and its lock together: for a caller who waits, or for the reconciler. */
final class Judge {
    private final GuardContext shop;

    Judge(GuardContext shop) {
        this.shop = shop;
    }

    /** Judges it now for a caller; {@link GuardOutcome#SKIPPED_LOCK} if its lock cannot be had. */
    GuardDecision now(String id, String app, ResourceFacts.Errand errand) throws InterruptedException {
        String purpose = errand == ResourceFacts.Errand.START ? "start" : "stop";
        Optional<ResourceLocks.Held> lock = shop.lock().take(id, app, purpose);
        if (lock.isEmpty()) {
            GuardDecision skipped = new GuardDecision(
                    id,
                    GuardOutcome.SKIPPED_LOCK,
                    "its lock is held by somebody else; the " + purpose + " is stored and goes on by itself",
                    List.of(),
                    app,
                    shop.clock().instant(),
                    0,
                    false);
            // Not written into the resource: that would send the holder of the lock back to the beginning.
            shop.records().tell(skipped, app, Optional.empty());
            return skipped;
        }
        try (ResourceLocks.Held held = lock.get()) {
            return new ResourcePass(shop, id, app, errand, held).run();
        }
    }

    /** Judges it again if its lock is free; empty if it is not, or there is nothing to do. */
    Optional<GuardDecision> again(String id) throws InterruptedException {
        Optional<String> app = reason(ResourceSnapshot.read(shop.files(), id));
        if (app.isEmpty()) {
            return Optional.empty();
        }
        Optional<ResourceLocks.Held> lock = shop.lock().takeIfFree(id, app.get(), "reconcile");
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        try (ResourceLocks.Held held = lock.get()) {
            return Optional.of(new ResourcePass(shop, id, app.get(), ResourceFacts.Errand.RECONCILE, held).run());
        }
    }

    /** Notes what a resource does of which nothing is known yet. */
    void observe(String id) {
        ResourceSnapshot scene = ResourceSnapshot.read(shop.files(), id);
        ResourceRecord resource = scene.resource();
        if (scene.isGone()
                || resource.isActive()
                || resource.state() != ResourceState.UNKNOWN
                || shop.hands().problem(scene.unit().orElseThrow(), resource).isPresent()) {
            return;
        }
        ResourceState seen =
                shop.hands().state(shop.hands().target(scene.unit().orElseThrow(), resource, resource.token()));
        if (seen == ResourceState.RUNNING || seen == ResourceState.STOPPED) {
            // If it changed meanwhile, somebody knows better.
            shop.files().write(scene.stored(), resource.in(seen, resource.token()));
        }
    }

    /** The app for whose sake there is something to do about it. */
    Optional<String> reason(ResourceSnapshot scene) throws InterruptedException {
        ResourceRecord resource = scene.resource();
        Optional<App> starting = scene.mayNotRun() ? scene.starting(shop.clock().instant()) : Optional.empty();
        if (starting.isPresent()) {
            return Optional.of(starting.get().name());
        }
        if (!resource.isActive() && !(isWatched(scene) && isWorthwhile(scene, shop.probe(scene)))) {
            return Optional.empty();
        }
        String last = resource.decisions().isEmpty()
                ? "nobody"
                : resource.decisions().get(0).app();
        return Optional.of(resource.intent().map(Intent::requestedBy).orElse(last));
    }

    /** Stopped by a guard: whether an app needs it again is looked at as long as there are any. */
    private static boolean isWatched(ResourceSnapshot scene) {
        return scene.resource().state() == ResourceState.STOPPED
                && !scene.resource().isActive()
                && !scene.isGone();
    }

    /** Whether a look at its apps says if it is worth taking the lock. */
    boolean dependsOnApps(ResourceSnapshot scene) {
        boolean told = !scene.resource().decisions().isEmpty();
        return isWatched(scene) || (told && scene.isWanted() && !scene.mayNotRun() && !scene.isGone());
    }

    /**
     * Whether it is worth taking the lock, by a look without it. False only if the apps still say exactly what they said when that
     * was last recorded.
     */
    boolean isWorthwhile(ResourceSnapshot scene, Map<String, ProbeResult> probed) {
        ResourceRecord resource = scene.resource();
        Optional<String> problem = shop.hands().problem(scene.unit().orElseThrow(), resource);
        if (problem.isPresent()) {
            return resource.isActive() && !resource.decisions().get(0).reason().equals(problem.get());
        }
        AppProbes.Looked looked = shop.lookAt(scene, probed);
        return isWatched(scene) ? changesRest(scene, looked) : changesStop(scene, looked);
    }

    /** Whether an app needs what is stopped, and nobody has said so; or no app does any more. */
    private boolean changesRest(ResourceSnapshot scene, AppProbes.Looked looked) {
        ResourceRecord resource = scene.resource();
        boolean needed =
                looked.sightings().stream().anyMatch(seen -> StopRules.standing(seen, 1) == StopRules.Standing.NEEDS);
        boolean told = resource.isToldNeeded();
        boolean tells = !shop.hands().recordsOnly(scene.unit().orElseThrow(), resource);
        if (needed && (tells || shop.config().restartIfNeeded())) {
            return !told || shop.config().restartIfNeeded();
        }
        return told;
    }

    private boolean changesStop(ResourceSnapshot scene, AppProbes.Looked looked) {
        ResourceRecord resource = scene.resource();
        StopRules.Ruling ruling =
                StopRules.judge(looked.sightings(), shop.config().downConfirmations());
        GuardDecision last = resource.decisions().get(0);
        GuardDecision decision = new GuardDecision(
                resource.id(),
                ruling.outcome(),
                ruling.reason(),
                looked.evidence(),
                last.app(),
                Instant.EPOCH,
                0,
                false);
        return ruling.mayStop()
                || ruling.missing() == StopRules.Missing.LOOKS
                || hasStarted(scene, looked)
                || !looked.counts().keySet().equals(resource.downs().keySet())
                || !resource.intents().keySet().equals(scene.wishing())
                || !decision.repeats(last);
    }

    private static boolean hasStarted(ResourceSnapshot scene, AppProbes.Looked looked) {
        return looked.sightings().stream()
                .anyMatch(seen -> seen.isUp()
                        && scene.apps().stream()
                                .anyMatch(app -> app.name().equals(seen.app())
                                        && app.startingUntil().isPresent()));
    }
}
