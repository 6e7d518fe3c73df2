package dev.holdfast.guard.rules;

import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import java.util.List;
import java.util.function.Function;

/**
 * Whether a resource may be stopped: what is known of every app that uses it goes in, the decision and its reason come out. Pure,
 * and the only place where this is decided.
 *
 * <p>One app that needs it is enough to keep it, and so is one of which nobody can say. It may be stopped when each of them
 * was seen down often enough, and those that nobody asked to stop for long enough.
 */
public final class StopRules {
    /** Names in a reason; more are counted. */
    private static final int NAMED = 8;

    private StopRules() {}

    /** What is missing until it may be stopped. */
    public enum Missing {
        /** An app must go, or be seen: only that changes it. */
        AN_APP,
        /** Every app is down, some not for long enough. */
        TIME,
        /** Every app is down, some not seen so often enough. */
        LOOKS,
        /** It may be stopped. */
        NOTHING
    }

    /** What follows, {@link GuardOutcome#STOPPED} if it may be stopped now; why; and what else it takes. */
    public record Ruling(GuardOutcome outcome, String reason, Missing missing) {
        public boolean mayStop() {
            return missing == Missing.NOTHING;
        }
    }

    public static Ruling judge(List<AppObservation> sightings, int confirmations) {
        Function<AppStanding, List<AppObservation>> those = standing -> sightings.stream()
                .filter(seen -> standing(seen, confirmations) == standing)
                .toList();
        List<AppObservation> needing = those.apply(AppStanding.NEEDS);
        if (!needing.isEmpty()) {
            return new Ruling(
                    GuardOutcome.SKIPPED_SHARED_ACTIVE, "needed by " + named(needing, StopRules::why), Missing.AN_APP);
        }
        List<AppObservation> doubtful = those.apply(AppStanding.DOUBTFUL);
        if (!doubtful.isEmpty()) {
            return new Ruling(
                    GuardOutcome.SKIPPED_UNKNOWN,
                    "nobody can say whether it is needed by " + named(doubtful, StopRules::why),
                    Missing.AN_APP);
        }
        List<AppObservation> failing = those.apply(AppStanding.FAILING);
        if (!failing.isEmpty()) {
            return new Ruling(
                    GuardOutcome.PENDING, "nobody asked to stop " + named(failing, StopRules::howLong), Missing.TIME);
        }
        List<AppObservation> confirming = those.apply(AppStanding.CONFIRMING);
        if (!confirming.isEmpty()) {
            String each = named(confirming, one -> one.downs() + " of " + confirmations + " times");
            return new Ruling(GuardOutcome.PENDING, "every app is down; to be confirmed: " + each, Missing.LOOKS);
        }
        return new Ruling(
                GuardOutcome.STOPPED, "no app needs it: " + named(sightings, StopRules::why), Missing.NOTHING);
    }

    public static AppStanding standing(AppObservation seen, int confirmations) {
        if (seen.starting() || seen.desired() == DesiredState.RUNNING) {
            return AppStanding.NEEDS;
        }
        return switch (seen.answer()) {
            case RUNS -> AppStanding.NEEDS; // also one that asked to stop: it has not stopped yet
            case UNCLEAR -> AppStanding.DOUBTFUL;
            case REFUSES ->
                seen.desired() == DesiredState.STOPPED ? counted(seen, confirmations) : AppStanding.DOUBTFUL;
            case FAILS ->
                seen.desired() != DesiredState.STOPPED && seen.failingFor().compareTo(seen.downAfter()) < 0
                        ? AppStanding.FAILING
                        : counted(seen, confirmations);
        };
    }

    private static AppStanding counted(AppObservation seen, int confirmations) {
        return seen.downs() >= confirmations ? AppStanding.GONE : AppStanding.CONFIRMING;
    }

    /** What an app counts as: one that answers is up, a stopped one that refuses connections is down. */
    static String word(AppObservation seen) {
        if (seen.starting()) {
            return "STARTING";
        }
        QuickStatus.Word word = switch (seen.answer()) {
            case RUNS -> QuickStatus.Word.UP;
            case FAILS -> QuickStatus.Word.DOWN;
            case REFUSES -> seen.desired() == DesiredState.STOPPED ? QuickStatus.Word.DOWN : QuickStatus.Word.UNKNOWN;
            case UNCLEAR -> QuickStatus.Word.UNKNOWN;
        };
        return word.name();
    }

    private static String why(AppObservation seen) {
        if (seen.starting()) {
            return "is starting";
        }
        return switch (seen.desired()) {
            case RUNNING -> "is set to running; " + answer(seen);
            case STOPPED -> seen.answer() == HealthReading.RUNS ? "still " + answer(seen) : answer(seen);
            case AUTO -> answer(seen);
        };
    }

    private static String answer(AppObservation seen) {
        ProbeResult probed = seen.probed();
        if (probed.httpCode().isPresent()) {
            String code = "answers " + probed.httpCode().getAsInt();
            return seen.answer() == HealthReading.UNCLEAR
                    ? code + ", which its health check counts neither as up nor as down"
                    : code;
        }
        return probed.status() == ProbeStatus.REFUSED ? "connection refused" : Registration.shown(probed.detail());
    }

    private static String howLong(AppObservation seen) {
        return answer(seen) + ", and counts as down after " + HealthCheck.text(seen.downAfter())
                + " of that and nothing else";
    }

    private static String named(List<AppObservation> sightings, Function<AppObservation, String> told) {
        List<String> names = sightings.stream()
                .limit(NAMED)
                .map(one -> one.app() + " (" + told.apply(one) + ")")
                .toList();
        String list = String.join(", ", names);
        return sightings.size() <= NAMED ? list : list + " and " + (sightings.size() - NAMED) + " more";
    }
}
