package dev.holdfast.guard;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** The part of a {@link Pass} that stops a resource nobody needs. */
final class Stopping {
    private final Pass pass;
    private final Workshop shop;
    private final Scene scene;
    private final Unit unit;
    private final Resource resource;

    Stopping(Pass pass, Scene scene, Unit unit) {
        this.pass = pass;
        this.shop = pass.shop();
        this.scene = scene;
        this.unit = unit;
        this.resource = scene.resource();
    }

    /** Empty: from the beginning. */
    Optional<Decision> run() throws InterruptedException {
        if (scene.mayNotRun()) {
            ResourceState actual = shop.hands().state(unit, pass.token());
            if (resource.intent().isEmpty() && resource.state() == ResourceState.STOPPING && !isStop(actual)) {
                return startAgain();
            }
            if (isSettledAs(actual)) {
                return settledAs(actual);
            }
        }
        if (resource.intent().isEmpty()) {
            return Optional.of(pass.answer(
                    Outcome.SKIPPED_SHARED_ACTIVE, "nobody wants it stopped any more: an app was started", List.of()));
        }
        return judge();
    }

    private static boolean isStop(ResourceState actual) {
        return actual == ResourceState.STOPPED || actual == ResourceState.STOPPING;
    }

    /**
     * A stop that was begun and is no longer wanted: whoever began it may still reach the actuator, late, unless that has seen our
     * token first.
     */
    private Optional<Decision> startAgain() {
        return new Starting(pass, scene, unit, "those who still need it").run();
    }

    /** Whether what it does is the end of an earlier stop or start, or needs only time. */
    private boolean isSettledAs(ResourceState actual) {
        return switch (actual) {
            case STOPPED, STOPPING -> true;
            case STARTING -> resource.state() == ResourceState.STARTING;
            case RUNNING, UNKNOWN -> resource.intent().isEmpty();
        };
    }

    private Optional<Decision> settledAs(ResourceState actual) {
        List<Evidence> known = evidenceOfTheLastDecision();
        Resource next = actual == ResourceState.UNKNOWN ? resource : resource.in(actual, pass.token());
        return switch (actual) {
            case STOPPED -> pass.record(scene, next.withdrawn(), pass.answer(Outcome.STOPPED, "it is stopped", known));
            case RUNNING -> pass.record(scene, next, pass.answer(Outcome.STARTED, "it runs", known));
            case STOPPING -> pass.record(scene, next, pass.answer(Outcome.PENDING, "it is stopping", known));
            case STARTING -> pass.record(scene, next, pass.answer(Outcome.PENDING, "it is starting", known));
            case UNKNOWN ->
                pass.record(
                        scene,
                        next,
                        pass.answer(
                                Outcome.PENDING,
                                "its actuator cannot say whether it is "
                                        + (resource.state() == ResourceState.STARTING ? "started" : "stopped"),
                                known));
        };
    }

    private List<Evidence> evidenceOfTheLastDecision() {
        return resource.decisions().isEmpty()
                ? List.of()
                : resource.decisions().get(0).evidence();
    }

    private Optional<Decision> judge() throws InterruptedException {
        shop.log().looking(unit);
        Looks.Looked looked = look();
        shop.log().seen(unit.id(), looked.sightings());
        forgetStarting(looked);
        StopRules.Ruling ruling =
                StopRules.judge(looked.sightings(), shop.config().downConfirmations());
        Resource counted = resource.counted(looked.counts());
        if (ruling.mayStop()) {
            return shop.config().sharedDbLockEnabled() ? act(looked, ruling) : shadow(counted, looked, ruling);
        }
        if (resource.state() == ResourceState.STOPPING && !ruling.confirming()) {
            startAgain();
            return Optional.empty();
        }
        if (ruling.confirming() && pass.staysForAnotherLook()) {
            if (shop.files().write(scene.stored(), counted)) {
                pass.waitForAnotherLook();
            }
            return Optional.empty();
        }
        return pass.record(scene, counted, pass.answer(ruling.outcome(), ruling.reason(), looked.evidence()));
    }

    private Looks.Looked look() throws InterruptedException {
        try {
            return shop.looks()
                    .count(scene.apps(), shop.looks().all(scene.apps()).get(), resource.downs());
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at apps never fails", e);
        }
    }

    /** An app that is seen up has started. */
    private void forgetStarting(Looks.Looked looked) {
        Set<String> up = looked.sightings().stream()
                .filter(seen -> seen.probed().sight() == Sight.UP)
                .map(Sighting::app)
                .collect(Collectors.toSet());
        for (App app : scene.apps()) {
            if (app.startingUntil().isPresent() && up.contains(app.name())) {
                // If it changes at this moment, the next look does it.
                shop.files()
                        .app(app.name())
                        .filter(stored -> stored.value().equals(app))
                        .ifPresent(stored -> shop.files()
                                .write(List.of(shop.files()
                                        .put(app.wished(app.desired(), Optional.empty()), stored.unchanged()))));
            }
        }
    }

    private Optional<Decision> shadow(Resource counted, Looks.Looked looked, StopRules.Ruling ruling) {
        ActResult would = shop.hands().stop(unit, pass.token(), ruling.reason(), true);
        String detail = would instanceof ActResult.Done done ? "; " + done.detail() : "";
        return pass.record(
                scene,
                counted,
                pass.answer(
                        Outcome.PENDING,
                        "shadow mode (shared_db_lock_enabled is false), would be stopped: " + ruling.reason() + detail,
                        looked.evidence()));
    }

    private Optional<Decision> act(Looks.Looked looked, StopRules.Ruling ruling) {
        Resource stopping = resource.counted(looked.counts()).in(ResourceState.STOPPING, pass.token());
        Decision going = pass.answer(Outcome.PENDING, "being stopped: " + ruling.reason(), looked.evidence());
        if (pass.record(scene, stopping, going).isEmpty()) {
            return Optional.empty(); // somebody started, registered or asked meanwhile
        }
        Stored<Resource> before = shop.files().resource(unit.id());
        if (before.value().version() != stopping.version() + 1) {
            return Optional.empty();
        }
        pass.ensureLocked();
        ActResult result = shop.hands().stop(unit, pass.token(), ruling.reason(), false);
        return Optional.of(after(result, looked, ruling));
    }

    private Decision after(ActResult result, Looks.Looked looked, StopRules.Ruling ruling) {
        if (result instanceof ActResult.Stale stale) {
            return pass.answer(
                    Outcome.SKIPPED_LOCK,
                    "its actuator has seen the newer token " + stale.newerToken() + "; it is judged again",
                    looked.evidence());
        }
        ResourceState now = result instanceof ActResult.Done done && done.now() != ResourceState.UNKNOWN
                ? done.now()
                : shop.hands().state(unit, pass.token());
        String said = result instanceof ActResult.Done done ? done.detail() : ((ActResult.Failed) result).what();
        if (now == ResourceState.STOPPED) {
            Decision stopped = pass.answer(Outcome.STOPPED, ruling.reason() + "; " + said, looked.evidence());
            return pass.settle(known -> known.in(now, pass.token()).withdrawn(), stopped);
        }
        // Also if it seems to run: the order may yet take effect, so whoever starts it must not trust that.
        String failed = result instanceof ActResult.Failed
                ? "it could not be stopped (" + said + "); it is tried again"
                : "the stop was ordered and is not complete: " + said;
        return pass.settle(
                known -> known.in(ResourceState.STOPPING, pass.token()),
                pass.answer(Outcome.PENDING, failed, looked.evidence()));
    }
}
