package dev.holdfast.guard;

import dev.holdfast.LeaseLostException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One judgement of a resource, under its lock: reads everything anew, starts it if an app is starting, stops it if that is
 * intended and nobody needs it.
 *
 * <p>A pass may die anywhere. What is about to be done is stored before it is done; the next pass reads back what came of it.
 * Every step writes by compare-and-set on what was read, so a change by anybody else, or by a later holder of the lock, sends
 * it back to the beginning.
 */
final class Pass {
    /** How often others may get in between. */
    private static final int MAX_ROUNDS = 100;

    private final Workshop shop;
    private final String id;
    private final String caller;
    private final ResourceLock.Held held;
    private final Errand errand;
    private final Patience patience;
    private final long token;

    /** Why it is judged. */
    enum Errand {
        /** An app asked for a stop and waits for the answer. */
        STOP,
        /** An app starts and waits for the answer. */
        START,
        /** Nobody waits: what is unfinished is looked at again. */
        RECONCILE
    }

    Pass(Workshop shop, String id, String caller, Errand errand, ResourceLock.Held held) {
        this.shop = shop;
        this.id = id;
        this.caller = caller;
        this.held = held;
        this.errand = errand;
        this.patience = new Patience(shop.config());
        this.token = held.lease().token().value();
    }

    Decision run() throws InterruptedException {
        try {
            for (int round = 0; round < MAX_ROUNDS; round++) {
                held.lease().ensureValid();
                Optional<Decision> decided = round();
                if (decided.isPresent()) {
                    return decided.get();
                }
            }
            return answer(Outcome.PENDING, "others changed it all the time; it is judged again", List.of());
        } catch (LeaseLostException e) {
            return answer(Outcome.SKIPPED_LOCK, "the lock was lost meanwhile; it is judged again", List.of());
        }
    }

    /** Empty: something changed, or is to be looked at once more; from the beginning. */
    private Optional<Decision> round() throws InterruptedException {
        Scene scene = Scene.read(shop.files(), id);
        if (scene.isGone()) {
            return gone(scene);
        }
        Unit unit = scene.unit().orElseThrow();
        Optional<String> problem = shop.hands().problem(unit);
        if (problem.isPresent()) {
            return record(scene, scene.resource(), answer(Outcome.SKIPPED_UNKNOWN, problem.get(), List.of()));
        }
        Optional<App> starting = toStartFor(scene);
        return starting.isPresent()
                ? new Starting(this, scene, unit, starting.get().name()).run()
                : new Stopping(this, scene, unit).run();
    }

    /** The app that needs it to run now: the one whose start this is, or any that is starting while it may not run. */
    private Optional<App> toStartFor(Scene scene) {
        if (errand == Errand.START) {
            Optional<App> own = scene.apps().stream()
                    .filter(app -> app.name().equals(caller))
                    .findFirst();
            if (own.isPresent() && own.get().desired() != Desired.STOPPED) {
                return own;
            }
        }
        return scene.mayNotRun() ? scene.starting(shop.clock().instant()) : Optional.empty();
    }

    private Optional<Decision> gone(Scene scene) {
        Resource resource = scene.resource();
        String reason = resource.movedTo()
                .map(other -> "is the same as " + other + " and is judged there")
                .orElse("no registered app uses it");
        Resource next = resource.withdrawn().in(ResourceState.UNKNOWN, resource.token());
        boolean written = next.equals(resource) || shop.files().write(scene.stored(), next);
        return written ? Optional.of(answer(Outcome.PENDING, reason, List.of())) : Optional.empty();
    }

    // ---- for the two kinds of work

    Workshop shop() {
        return shop;
    }

    long token() {
        return token;
    }

    String caller() {
        return caller;
    }

    /** Waits until another look counts, if this pass has the time; else it comes again. */
    boolean staysForAnotherLook() {
        return errand != Errand.RECONCILE && patience.hasTime();
    }

    void waitForAnotherLook() throws InterruptedException {
        patience.pause();
    }

    void ensureLocked() {
        held.lease().ensureValid();
    }

    Decision answer(Outcome outcome, String reason, List<Evidence> evidence) {
        return new Decision(id, outcome, reason, evidence, caller, shop.clock().instant(), token);
    }

    /** Stores a decision with what else changes, if the resource is as it was read; empty if it is not. */
    Optional<Decision> record(Scene scene, Resource next, Decision decision) {
        boolean repeated = errand == Errand.RECONCILE
                && scene.resource().decisions().stream()
                        .findFirst()
                        .filter(decision::repeats)
                        .isPresent();
        if (repeated) {
            boolean same = next.equals(scene.resource());
            return same || shop.files().write(scene.stored(), next) ? Optional.of(decision) : Optional.empty();
        }
        if (!shop.files().write(scene.stored(), next.decided(decision))) {
            return Optional.empty();
        }
        shop.records().tell(decision, held.owner(), Optional.of(held.lease()));
        return Optional.of(decision);
    }

    /** Stores what came of acting, however the resource has changed meanwhile; unless a later holder of the lock has acted. */
    Decision settle(UnaryOperator<Resource> outcome, Decision decision) {
        Resource settled = shop.files()
                .update(
                        id,
                        now -> now.token() > token ? now : outcome.apply(now).decided(decision));
        if (settled.token() > token) {
            return answer(Outcome.SKIPPED_LOCK, "somebody with a newer token has acted meanwhile", List.of());
        }
        shop.records().tell(decision, held.owner(), Optional.of(held.lease()));
        return decision;
    }
}
