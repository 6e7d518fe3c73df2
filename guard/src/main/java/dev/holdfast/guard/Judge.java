package dev.holdfast.guard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Brings a resource and its lock together: for a caller who waits, or for the reconciler. */
final class Judge {
    private final Workshop shop;

    Judge(Workshop shop) {
        this.shop = shop;
    }

    /** Judges it now for a caller; {@link Outcome#SKIPPED_LOCK} if its lock cannot be had. */
    Decision now(String id, String app, Pass.Errand errand) throws InterruptedException {
        String purpose = errand == Pass.Errand.START ? "start" : "stop";
        Optional<ResourceLock.Held> lock = shop.lock().take(id, app, purpose);
        if (lock.isEmpty()) {
            Decision skipped = new Decision(
                    id,
                    Outcome.SKIPPED_LOCK,
                    "its lock is held by somebody else; the " + purpose + " is stored and goes on by itself",
                    List.of(),
                    app,
                    shop.clock().instant(),
                    0);
            // Not written into the resource: that would send the holder of the lock back to the beginning.
            shop.records().tell(skipped, app, Optional.empty());
            return skipped;
        }
        try (ResourceLock.Held held = lock.get()) {
            return new Pass(shop, id, app, errand, held).run();
        }
    }

    /** Judges it again if its lock is free; empty if it is not, or there is nothing to do. */
    Optional<Decision> again(String id) throws InterruptedException {
        Scene scene = Scene.read(shop.files(), id);
        Optional<String> app = reason(scene);
        if (app.isEmpty()) {
            return Optional.empty();
        }
        Optional<ResourceLock.Held> lock = shop.lock().takeIfFree(id, app.get(), "reconcile");
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        try (ResourceLock.Held held = lock.get()) {
            return Optional.of(new Pass(shop, id, app.get(), Pass.Errand.RECONCILE, held).run());
        }
    }

    /** Notes what a resource does of which nothing is known yet. */
    void observe(String id) {
        Scene scene = Scene.read(shop.files(), id);
        if (scene.isGone()
                || scene.resource().isActive()
                || scene.resource().state() != ResourceState.UNKNOWN
                || shop.hands().problem(scene.unit().orElseThrow()).isPresent()) {
            return;
        }
        ResourceState seen =
                shop.hands().state(scene.unit().orElseThrow(), scene.resource().token());
        if (seen == ResourceState.RUNNING || seen == ResourceState.STOPPED) {
            // If it changed meanwhile, somebody knows better.
            shop.files()
                    .write(
                            scene.stored(),
                            scene.resource().in(seen, scene.resource().token()));
        }
    }

    /** The app for whose sake there is something to do about it. */
    private Optional<String> reason(Scene scene) {
        Resource resource = scene.resource();
        Optional<App> starting = scene.mayNotRun() ? scene.starting(shop.clock().instant()) : Optional.empty();
        if (starting.isPresent()) {
            return Optional.of(starting.get().name());
        }
        if (!resource.isActive()) {
            return Optional.empty();
        }
        String last = resource.decisions().isEmpty()
                ? "nobody"
                : resource.decisions().get(0).app();
        return Optional.of(resource.intent().map(Intent::requestedBy).orElse(last));
    }

    /**
     * Whether it is worth taking the lock: a look without it. False only if a stop is intended and the apps still object exactly as
     * they did when that was last recorded.
     */
    CompletableFuture<Boolean> isWorthwhile(Scene scene) {
        Resource resource = scene.resource();
        if (scene.isGone()
                || scene.mayNotRun()
                || resource.intent().isEmpty()
                || resource.decisions().isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        Optional<String> problem = shop.hands().problem(scene.unit().orElseThrow());
        if (problem.isPresent()) {
            return CompletableFuture.completedFuture(
                    !resource.decisions().get(0).reason().equals(problem.get()));
        }
        return shop.looks().all(scene.apps()).thenApply(probed -> {
            Looks.Looked looked = shop.looks().count(scene.apps(), probed, resource.downs());
            StopRules.Ruling ruling =
                    StopRules.judge(looked.sightings(), shop.config().downConfirmations());
            Decision decision = new Decision(
                    resource.id(),
                    ruling.outcome(),
                    ruling.reason(),
                    looked.evidence(),
                    resource.decisions().get(0).app(),
                    Instant.EPOCH,
                    0);
            boolean started = looked.sightings().stream()
                    .anyMatch(seen -> seen.probed().sight() == Sight.UP
                            && scene.apps().stream()
                                    .anyMatch(app -> app.name().equals(seen.app())
                                            && app.startingUntil().isPresent()));
            return ruling.mayStop()
                    || ruling.confirming()
                    || started
                    || !looked.counts().keySet().equals(resource.downs().keySet())
                    || !decision.repeats(resource.decisions().get(0));
        });
    }
}
