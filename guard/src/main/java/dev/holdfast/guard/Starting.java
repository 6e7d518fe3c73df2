package dev.holdfast.guard;

import java.util.List;
import java.util.Optional;

/** The part of a {@link Pass} that makes sure that a resource runs for an app that starts. */
final class Starting {
    private final Pass pass;
    private final Workshop shop;
    private final Scene scene;
    private final Unit unit;
    private final String app;

    Starting(Pass pass, Scene scene, Unit unit, String app) {
        this.pass = pass;
        this.shop = pass.shop();
        this.scene = scene;
        this.unit = unit;
        this.app = app;
    }

    /** Empty: from the beginning. */
    Optional<Decision> run() {
        if (!scene.mayNotRun() && shop.hands().state(unit, pass.token()) == ResourceState.RUNNING) {
            // Written even so: whoever was about to stop it finds it changed.
            return pass.record(
                    scene,
                    scene.resource().in(ResourceState.RUNNING, pass.token()),
                    pass.answer(Outcome.STARTED, "it runs already, for " + app, List.of()));
        }
        Resource starting = scene.resource().in(ResourceState.STARTING, pass.token());
        Decision going = pass.answer(Outcome.PENDING, "being started for " + app, List.of());
        if (pass.record(scene, starting, going).isEmpty()) {
            return Optional.empty();
        }
        pass.ensureLocked();
        // Also if it seems to run: only a call with our token makes its actuator refuse a late stop with an older one.
        return Optional.of(after(shop.hands().start(unit, pass.token(), "needed by " + app)));
    }

    private Decision after(ActResult result) {
        if (result instanceof ActResult.Stale stale) {
            return pass.answer(
                    Outcome.PENDING,
                    "its actuator has seen the newer token " + stale.newerToken() + "; it is looked at again",
                    List.of());
        }
        ResourceState now = result instanceof ActResult.Done done && done.now() != ResourceState.UNKNOWN
                ? done.now()
                : shop.hands().state(unit, pass.token());
        String said = result instanceof ActResult.Done done ? done.detail() : ((ActResult.Failed) result).what();
        if (now == ResourceState.RUNNING) {
            return pass.settle(
                    known -> known.in(now, pass.token()),
                    pass.answer(Outcome.STARTED, "it runs, for " + app + "; " + said, List.of()));
        }
        String failed = result instanceof ActResult.Failed
                ? "it could not be started (" + said + "); it is tried again"
                : "the start was ordered and is not complete: " + said;
        return pass.settle(
                known -> known.in(ResourceState.STARTING, pass.token()),
                pass.answer(Outcome.PENDING, failed, List.of()));
    }
}
