package dev.holdfast.guard;

import java.util.List;
import java.util.function.Function;

/**
 * Whether a resource may be stopped: what is known of every app that uses it goes in, the decision and its reason come out. Pure,
 * and the only place where this is decided.
 *
 * <p>One app that needs it is enough to keep it, and so is one of which nobody can say. It may be stopped when each of them
 * was seen down often enough.
 */
final class StopRules {
    /** Names in a reason; more are counted. */
    private static final int NAMED = 8;

    private StopRules() {}

    /** How an app stands to a stop, the strongest objection first. */
    enum Standing {
        /** It needs the resource. */
        NEEDS,
        /** Nobody can say. */
        DOUBTFUL,
        /** It was seen down, not often enough yet. */
        CONFIRMING,
        /** It is down. */
        GONE
    }

    /**
     * What follows.
     *
     * @param outcome {@link Outcome#STOPPED} if it may be stopped now
     * @param reason why
     * @param confirming whether only time is missing: every app is down, some not seen so often enough
     */
    record Ruling(Outcome outcome, String reason, boolean confirming) {
        boolean mayStop() {
            return outcome == Outcome.STOPPED;
        }
    }

    static Ruling judge(List<Sighting> sightings, int confirmations) {
        Function<Standing, List<Sighting>> those = standing -> sightings.stream()
                .filter(seen -> standing(seen, confirmations) == standing)
                .toList();
        List<Sighting> needing = those.apply(Standing.NEEDS);
        if (!needing.isEmpty()) {
            return ruling(Outcome.SKIPPED_SHARED_ACTIVE, "needed by " + named(needing, StopRules::why));
        }
        List<Sighting> doubtful = those.apply(Standing.DOUBTFUL);
        if (!doubtful.isEmpty()) {
            return ruling(
                    Outcome.SKIPPED_UNKNOWN,
                    "nobody can say whether it is needed by " + named(doubtful, StopRules::why));
        }
        List<Sighting> confirming = those.apply(Standing.CONFIRMING);
        if (!confirming.isEmpty()) {
            String each = named(confirming, one -> one.downs() + " of " + confirmations + " times");
            return new Ruling(Outcome.PENDING, "every app is down; to be confirmed: " + each, true);
        }
        return ruling(Outcome.STOPPED, "no app needs it: " + named(sightings, StopRules::why));
    }

    private static Ruling ruling(Outcome outcome, String reason) {
        return new Ruling(outcome, reason, false);
    }

    static Standing standing(Sighting seen, int confirmations) {
        if (seen.starting() || seen.desired() == Desired.RUNNING) {
            return Standing.NEEDS;
        }
        return switch (seen.probed().sight()) {
            case UP -> Standing.NEEDS; // also one that asked to stop: it has not stopped yet
            case DOWN -> answersBehindADoor(seen) ? Standing.NEEDS : down(seen, confirmations);
            case REFUSED -> seen.desired() == Desired.STOPPED ? down(seen, confirmations) : Standing.DOUBTFUL;
            case UNKNOWN -> Standing.DOUBTFUL;
        };
    }

    private static Standing down(Sighting seen, int confirmations) {
        return seen.downs() >= confirmations ? Standing.GONE : Standing.CONFIRMING;
    }

    /** What an app counts as: a stopped one that refuses connections is down, one that wants a login is up. */
    static String word(Sighting seen) {
        if (seen.starting()) {
            return "STARTING";
        }
        if (answersBehindADoor(seen)) {
            return QuickStatus.Word.UP.name();
        }
        boolean gone = seen.probed().sight() == Sight.REFUSED && seen.desired() == Desired.STOPPED;
        return (gone ? QuickStatus.Word.DOWN : QuickStatus.Word.of(seen.probed().sight())).name();
    }

    /** Somebody is there who wants a login, or less haste, or sends elsewhere: the app runs. */
    private static boolean answersBehindADoor(Sighting seen) {
        int code = seen.probed().httpCode().orElse(0);
        return code == 401 || code == 403 || code == 429 || (code >= 300 && code < 400);
    }

    private static String why(Sighting seen) {
        if (seen.starting()) {
            return "is starting";
        }
        Probed probed = seen.probed();
        String answer = probed.httpCode().isPresent()
                ? "answers " + probed.httpCode().getAsInt()
                : probed.sight() == Sight.REFUSED ? "connection refused" : Registration.shown(probed.detail());
        return switch (seen.desired()) {
            case RUNNING -> "is wished running; " + answer;
            case STOPPED -> standing(seen, 0) == Standing.NEEDS ? "still " + answer : answer;
            case AUTO -> answer;
        };
    }

    private static String named(List<Sighting> sightings, Function<Sighting, String> told) {
        List<String> names = sightings.stream()
                .limit(NAMED)
                .map(one -> one.app() + " (" + told.apply(one) + ")")
                .toList();
        String list = String.join(", ", names);
        return sightings.size() <= NAMED ? list : list + " and " + (sightings.size() - NAMED) + " more";
    }
}
