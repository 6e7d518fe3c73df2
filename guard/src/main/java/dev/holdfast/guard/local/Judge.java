package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.registry.ResourceLocks;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.rules.AppObservations;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.guard.rules.StopRules;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Brings a resource and its lock together: for a caller who waits, or for the reconciler. */
record Judge(GuardContext context) {
    /** Judges it now for a caller; {@link GuardOutcome#SKIPPED_LOCK} if its lock cannot be had. */
    GuardDecision now(String id, String app, ResourceFacts.Errand errand) throws InterruptedException {
        String purpose = errand == ResourceFacts.Errand.START ? "start" : "stop";
        Optional<ResourceLocks.HeldResource> lock = context.lock().take(id, app, purpose);
        if (lock.isEmpty()) {
            GuardDecision skipped = new ResourceFacts.Task(id, errand, app, 0)
                    .unjudged(
                            GuardOutcome.SKIPPED_LOCK,
                            "its lock is held by somebody else; the " + purpose + " is stored and continues by itself",
                            context.clock().instant());
            // Not written into the resource: that would send the holder of the lock back to the beginning.
            context.publisher().tell(skipped, app, Optional.empty());
            return skipped;
        }
        try (ResourceLocks.HeldResource held = lock.get()) {
            return new ResourcePass(context, id, app, errand, held).run();
        }
    }

    /** Judges it again if its lock is free; empty if it is not, or there is nothing to do. */
    Optional<GuardDecision> again(String id) throws InterruptedException {
        Optional<String> app = reason(context.documents().snapshot(id));
        if (app.isEmpty()) {
            return Optional.empty();
        }
        Optional<ResourceLocks.HeldResource> lock = context.lock().takeIfFree(id, app.get(), "reconcile");
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        try (ResourceLocks.HeldResource held = lock.get()) {
            return Optional.of(new ResourcePass(context, id, app.get(), ResourceFacts.Errand.RECONCILE, held).run());
        }
    }

    /** Notes what a resource does of which nothing is known yet. */
    void observe(String id) {
        ResourceSnapshot snapshot = context.documents().snapshot(id);
        ResourceRecord resource = snapshot.resource();
        if (snapshot.isGone()
                || resource.isActive()
                || resource.state() != ResourceState.UNKNOWN
                || context.choice()
                        .problem(snapshot.unit().orElseThrow(), resource)
                        .isPresent()) {
            return;
        }
        ResourceState seen = context.actuators()
                .state(context.actuators().target(snapshot.unit().orElseThrow(), resource, resource.token()));
        if (seen == ResourceState.RUNNING || seen == ResourceState.STOPPED) {
            // If it changed meanwhile, somebody knows better.
            context.documents().write(snapshot.stored(), resource.in(seen, resource.token()));
        }
    }

    /** The app for whose sake there is something to do about it. */
    Optional<String> reason(ResourceSnapshot snapshot) throws InterruptedException {
        ResourceRecord resource = snapshot.resource();
        Optional<App> starting =
                snapshot.mayNotRun() ? snapshot.starting(context.clock().instant()) : Optional.empty();
        if (starting.isPresent()) {
            return Optional.of(starting.get().name());
        }
        if (!resource.isActive() && !(isWatched(snapshot) && isWorthwhile(snapshot, context.probe(snapshot)))) {
            return Optional.empty();
        }
        String last = resource.decisions().isEmpty()
                ? "nobody"
                : resource.decisions().get(0).app();
        return Optional.of(resource.intent().map(Intent::requestedBy).orElse(last));
    }

    /** Stopped by a guard: whether an app needs it again is looked at as long as there are any. */
    private static boolean isWatched(ResourceSnapshot snapshot) {
        return snapshot.resource().state() == ResourceState.STOPPED
                && !snapshot.resource().isActive()
                && !snapshot.isGone();
    }

    /** Whether a look at its apps says if it is worth taking the lock. */
    boolean dependsOnApps(ResourceSnapshot snapshot) {
        boolean told = !snapshot.resource().decisions().isEmpty();
        return isWatched(snapshot) || (told && snapshot.isWanted() && !snapshot.mayNotRun() && !snapshot.isGone());
    }

    /**
     * Whether it is worth taking the lock, by a look without it. False only if the apps still say exactly what they said when that
     * was last recorded.
     */
    boolean isWorthwhile(ResourceSnapshot snapshot, Map<String, ProbeResult> probed) {
        ResourceRecord resource = snapshot.resource();
        Optional<String> problem = context.choice().problem(snapshot.unit().orElseThrow(), resource);
        if (problem.isPresent()) {
            return resource.isActive() && !resource.decisions().get(0).reason().equals(problem.get());
        }
        AppObservations looked = context.lookAt(snapshot, probed);
        return isWatched(snapshot) ? changesRest(snapshot, looked) : changesStop(snapshot, looked);
    }

    /** Whether an app needs what is stopped, and nobody has said so; or no app does any more. */
    private boolean changesRest(ResourceSnapshot snapshot, AppObservations looked) {
        ResourceRecord resource = snapshot.resource();
        boolean needed = looked.each().stream().anyMatch(seen -> StopRules.standing(seen, 1) == AppStanding.NEEDS);
        boolean told = resource.isToldNeeded();
        boolean tells = !context.choice().recordsOnly(snapshot.unit().orElseThrow(), resource);
        if (needed && (tells || context.config().restartIfNeeded())) {
            return !told || context.config().restartIfNeeded();
        }
        return told;
    }

    private boolean changesStop(ResourceSnapshot snapshot, AppObservations looked) {
        ResourceRecord resource = snapshot.resource();
        StopRules.Ruling ruling =
                StopRules.judge(looked.each(), context.config().downConfirmations());
        GuardDecision last = resource.decisions().get(0);
        GuardDecision decision = new GuardDecision(
                resource.id(),
                ruling.outcome(),
                ruling.reason(),
                looked.evidence(context.config().downConfirmations()),
                last.app(),
                Instant.EPOCH,
                0,
                false);
        return ruling.mayStop()
                || ruling.missing() == StopRules.Missing.LOOKS
                || !looked.started(snapshot.apps()).isEmpty()
                || !looked.counts().keySet().equals(resource.downs().keySet())
                || !resource.intents().keySet().equals(snapshot.wishing())
                || !decision.repeats(last);
    }
}
