package dev.holdfast.guard.rules;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Identifiers;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be done next about a resource, from all that is known of it. Pure: it reads nothing, calls nothing and remembers
 * nothing. Whether it may be stopped is decided by {@link StopRules}.
 */
public record GuardRules(GuardConfig config) {
    public Step of(ResourceFacts known) {
        if (known.acted().isPresent()) {
            return known.acted().get().what() == Step.Kind.STOP_DRY ? rehearsed(known) : acted(known);
        }
        if (known.snapshot().isGone()) {
            return gone(known);
        }
        if (known.use().problem().isPresent()) {
            return decide(
                    known,
                    known.resource(),
                    GuardOutcome.SKIPPED_UNKNOWN,
                    known.use().problem().get(),
                    List.of());
        }
        Optional<App> starting = toStartFor(known);
        return starting.isPresent() ? start(known, starting.get().name()) : stop(known);
    }

    /** The app that needs it to run now: the one whose start this is, or any that is starting while it may not run. */
    private static Optional<App> toStartFor(ResourceFacts known) {
        ResourceSnapshot snapshot = known.snapshot();
        if (known.task().errand() == ResourceFacts.Errand.START) {
            Optional<App> own = snapshot.apps().stream()
                    .filter(app -> app.name().equals(known.task().caller()))
                    .findFirst();
            if (own.isPresent() && own.get().desired() != DesiredState.STOPPED) {
                return own;
            }
        }
        return snapshot.mayNotRun() ? snapshot.starting(known.at()) : Optional.empty();
    }

    private static Step gone(ResourceFacts known) {
        ResourceRecord resource = known.resource();
        String reason = resource.movedTo()
                .map(other -> "is the same as " + other + " and is judged there")
                .orElse("no registered app uses it");
        ResourceRecord cleared = resource.withdrawn().in(ResourceState.UNKNOWN, resource.token());
        Optional<String> now = otherSpelling(resource.id());
        if (now.isPresent()
                && resource.movedTo().isEmpty()
                && !resource.intents().isEmpty()) {
            // Stored before there was one spelling for this machine: whoever asked must learn that it is asked for
            // nowhere else.
            return decide(
                    known,
                    cleared,
                    GuardOutcome.PENDING,
                    "it is " + now.get() + " now, and its stop, wanted by "
                            + String.join(", ", resource.intents().keySet()) + ", is forgotten: ask for it again",
                    List.of());
        }
        return new Step.Clear(cleared, known.answer(GuardOutcome.PENDING, reason, List.of()));
    }

    private static Optional<String> otherSpelling(String id) {
        return Identifiers.place(id)
                .filter(place -> place.port().isPresent())
                .map(place -> place.host() + ":" + place.port().getAsInt())
                .filter(spelt -> !spelt.equals(id));
    }

    // ---- starting

    private static Step start(ResourceFacts known, String app) {
        if (!known.snapshot().mayNotRun()) {
            if (known.state().isEmpty()) {
                return Step.Ask.STATE;
            }
            if (known.state().get() == ResourceState.RUNNING) {
                // Written even so: whoever was about to stop it finds it changed.
                return decide(
                        known,
                        known.resource().in(ResourceState.RUNNING, known.task().token()),
                        GuardOutcome.STARTED,
                        "it runs already, for " + app,
                        List.of());
            }
        }
        // Also if it seems to run: only a call with our token makes its actuator refuse a late stop with an older one.
        return new Step.Act(
                Step.Kind.START,
                known.resource().in(ResourceState.STARTING, known.task().token()),
                known.answer(GuardOutcome.PENDING, "being started for " + app, List.of()),
                "needed by " + app);
    }

    // ---- stopping

    private Step stop(ResourceFacts known) {
        ResourceSnapshot snapshot = known.snapshot();
        if (snapshot.mayNotRun()) {
            if (known.state().isEmpty()) {
                return Step.Ask.STATE;
            }
            ResourceState actual = known.state().get();
            ResourceState stored = known.resource().state();
            if (!snapshot.isWanted() && stored == ResourceState.STOPPING && !isStop(actual)) {
                // Begun and no longer wanted: whoever began it may still reach the actuator, late, unless that has seen
                // our token.
                return start(known, "those who still need it");
            }
            if (!snapshot.isWanted() && stored == ResourceState.STOPPED && isAtRest(actual)) {
                return atRest(known);
            }
            if (isSettledAs(known, actual)) {
                return settledAs(known, actual);
            }
        }
        if (!snapshot.isWanted()) {
            return nobodyWants(known);
        }
        return known.looked().isEmpty()
                ? Step.Ask.APPS
                : judge(known, known.looked().get());
    }

    private static boolean isStop(ResourceState actual) {
        return actual == ResourceState.STOPPED || actual == ResourceState.STOPPING;
    }

    private static boolean isAtRest(ResourceState actual) {
        return actual == ResourceState.STOPPED || actual == ResourceState.UNKNOWN;
    }

    private static Step nobodyWants(ResourceFacts known) {
        GuardDecision decision = known.answer(
                GuardOutcome.SKIPPED_SHARED_ACTIVE,
                "nobody wants it stopped any more: whoever asked was started, changed or unregistered",
                List.of());
        return new Step.Clear(known.resource().withdrawn(), decision);
    }

    /** Stopped by a guard earlier: does somebody need it now? */
    private Step atRest(ResourceFacts known) {
        if (known.looked().isEmpty()) {
            return Step.Ask.APPS;
        }
        List<AppObservation> sightings = known.looked().get().each();
        Optional<AppObservation> needing = sightings.stream()
                .filter(seen -> StopRules.standing(seen, 1) == AppStanding.NEEDS)
                .findFirst();
        List<Evidence> evidence = known.looked().get().evidence(1);
        ResourceRecord resource = known.resource().withdrawn();
        if (needing.isEmpty()) {
            return stays(known, resource, "it is stopped, and no app needs it", evidence);
        }
        if (config.restartIfNeeded()) {
            return start(known, needing.get().app());
        }
        if (known.use().recordsOnly()) {
            // Nothing was ever stopped, so nobody lacks it.
            String reason = "recorded only: it is recorded as stopped, and "
                    + StopRules.judge(sightings, 1).reason();
            return stays(known, resource, reason, evidence);
        }
        return decide(
                known,
                resource,
                GuardOutcome.NEEDED,
                "it is stopped, but " + StopRules.judge(sightings, 1).reason() + ". Start it: holdfast guard start "
                        + needing.get().app() + "; with guard.restart-if-needed that happens by itself",
                evidence);
    }

    /** It is stopped, and nobody lacks it: told only if the opposite was told last. */
    private static Step stays(ResourceFacts known, ResourceRecord next, String reason, List<Evidence> evidence) {
        GuardDecision stopped = known.answer(GuardOutcome.STOPPED, reason, evidence);
        return known.resource().isToldNeeded() ? new Step.Decide(next, stopped) : new Step.Clear(next, stopped);
    }

    /** Whether what it does is the end of an earlier stop or start, or needs only time. */
    private static boolean isSettledAs(ResourceFacts known, ResourceState actual) {
        return switch (actual) {
            // A start that was ordered and hung may yet take effect, unless its actuator has seen our token: it is
            // stopped anew.
            case STOPPED, STOPPING ->
                !known.snapshot().isWanted() || known.resource().state() != ResourceState.STARTING;
            case STARTING -> known.resource().state() == ResourceState.STARTING;
            case RUNNING, UNKNOWN -> !known.snapshot().isWanted();
        };
    }

    private static Step settledAs(ResourceFacts known, ResourceState actual) {
        List<Evidence> evidence = known.resource().decisions().stream()
                .findFirst()
                .map(GuardDecision::evidence)
                .orElse(List.of());
        ResourceRecord next = actual == ResourceState.UNKNOWN
                ? known.resource()
                : known.resource().in(actual, known.task().token());
        boolean starting = known.resource().state() == ResourceState.STARTING;
        return switch (actual) {
            case STOPPED -> decide(known, next.withdrawn(), GuardOutcome.STOPPED, "it is stopped", evidence);
            case RUNNING -> decide(known, next, GuardOutcome.STARTED, "it runs", evidence);
            case STOPPING -> decide(known, next, GuardOutcome.PENDING, "it is stopping", evidence);
            case STARTING -> decide(known, next, GuardOutcome.PENDING, "it is starting", evidence);
            case UNKNOWN ->
                decide(
                        known,
                        next,
                        GuardOutcome.PENDING,
                        "its actuator cannot say whether it is " + (starting ? "started" : "stopped"),
                        evidence);
        };
    }

    private Step judge(ResourceFacts known, AppObservations looked) {
        StopRules.Ruling ruling = StopRules.judge(looked.each(), config.downConfirmations());
        Set<String> wishing = known.snapshot().wishing();
        ResourceRecord counted = known.resource().keepingIntentsOf(wishing).counted(looked.counts());
        if (ruling.mayStop()) {
            return config.sharedDbLockEnabled()
                    ? act(known, counted, ruling)
                    : new Step.Rehearse(ruling.reason(), onlyWould(known, ruling, ""));
        }
        ResourceState stored = known.resource().state();
        // A start that failed leaves it stopped: nobody else would try again while somebody wants it stopped.
        boolean halfStarted = stored == ResourceState.STARTING
                && known.state().filter(GuardRules::isStop).isPresent();
        boolean begun = stored == ResourceState.STOPPING || halfStarted;
        if (begun && ruling.missing() != StopRules.Missing.LOOKS) {
            return start(known, "those who still need it");
        }
        GuardDecision decision =
                known.answer(ruling.outcome(), ruling.reason(), looked.evidence(config.downConfirmations()));
        return ruling.missing() == StopRules.Missing.LOOKS
                ? new Step.Confirm(counted, decision)
                : new Step.Decide(counted, decision);
    }

    private Step act(ResourceFacts known, ResourceRecord counted, StopRules.Ruling ruling) {
        return new Step.Act(
                Step.Kind.STOP,
                counted.in(ResourceState.STOPPING, known.task().token()),
                known.answer(
                        GuardOutcome.PENDING,
                        "being stopped: " + ruling.reason(),
                        known.looked().orElseThrow().evidence(config.downConfirmations())),
                ruling.reason());
    }

    // ---- after acting

    private Step rehearsed(ResourceFacts known) {
        AppObservations looked = known.looked().orElseThrow();
        String detail = known.acted().orElseThrow().result() instanceof ActResult.Done done ? "; " + done.detail() : "";
        return new Step.Decide(
                known.resource().keepingIntentsOf(known.snapshot().wishing()).counted(looked.counts()),
                onlyWould(known, StopRules.judge(looked.each(), config.downConfirmations()), detail));
    }

    /** In shadow mode: what would be done, and is not. */
    private GuardDecision onlyWould(ResourceFacts known, StopRules.Ruling ruling, String detail) {
        return known.answer(
                GuardOutcome.PENDING,
                "shadow mode (shared_db_lock_enabled is false), would be stopped: " + ruling.reason() + detail,
                known.looked().orElseThrow().evidence(config.downConfirmations()));
    }

    private Step acted(ResourceFacts known) {
        ResourceFacts.CompletedAct acted = known.acted().orElseThrow();
        boolean start = acted.what() == Step.Kind.START;
        List<Evidence> evidence =
                start ? List.of() : known.looked().orElseThrow().evidence(config.downConfirmations());
        if (acted.result() instanceof ActResult.Stale stale) {
            return new Step.End(known.answer(
                    start ? GuardOutcome.PENDING : GuardOutcome.SKIPPED_LOCK,
                    "its actuator has seen the newer token " + stale.newerToken() + "; it is "
                            + (start ? "looked at" : "judged") + " again",
                    evidence));
        }
        if (known.after().isEmpty()) {
            return Step.Ask.STATE;
        }
        long token = known.task().token();
        String said = said(acted.result());
        GuardDecision.Act act = new GuardDecision.Act(acted.result() instanceof ActResult.Failed, said);
        ResourceState now = readBack(known);
        if (start && now == ResourceState.RUNNING) {
            return new Step.Settle(
                    resource -> resource.in(now, token),
                    known.answer(GuardOutcome.STARTED, "it runs; " + said, evidence)
                            .after(act),
                    known.looked().isPresent() && known.snapshot().isWanted());
        }
        if (!start && now == ResourceState.STOPPED) {
            StopRules.Ruling ruling =
                    StopRules.judge(known.looked().orElseThrow().each(), config.downConfirmations());
            return new Step.Settle(
                    resource -> resource.in(now, token).withdrawn(),
                    known.answer(GuardOutcome.STOPPED, ruling.reason() + "; " + said, evidence)
                            .after(act),
                    false);
        }
        // Also if a stop leaves it running: the order may yet take effect, so whoever starts it must not trust that.
        String told = acted.result() instanceof ActResult.Failed
                ? "it could not be " + (start ? "started" : "stopped") + " (" + said + "); it will be tried again"
                : "the " + (start ? "start" : "stop") + " was requested and is not complete: " + said;
        return new Step.Settle(
                resource -> resource.in(start ? ResourceState.STARTING : ResourceState.STOPPING, token),
                known.answer(GuardOutcome.PENDING, told, evidence).after(act),
                false);
    }

    /** What it does, by its own account: what the actuator said about its deed counts only where it cannot say what it sees. */
    private static ResourceState readBack(ResourceFacts known) {
        ResourceState seen = known.after().orElseThrow();
        return seen == ResourceState.UNKNOWN && known.acted().orElseThrow().result() instanceof ActResult.Done done
                ? done.now()
                : seen;
    }

    private static String said(ActResult result) {
        return result instanceof ActResult.Done done ? done.detail() : ((ActResult.Failed) result).what();
    }

    private static Step decide(
            ResourceFacts known, ResourceRecord next, GuardOutcome outcome, String reason, List<Evidence> evidence) {
        return new Step.Decide(next, known.answer(outcome, reason, evidence));
    }
}
