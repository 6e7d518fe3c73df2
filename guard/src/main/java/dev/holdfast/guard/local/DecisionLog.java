package dev.holdfast.guard.local;

import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The guard's story for people, a line per step. The words are those of the document it follows, so that its searches find them. */
record DecisionLog(Consumer<String> lines, boolean symbols) {
    void locked(String id, String owner, String purpose) {
        say("\uD83D\uDD12", "Lock acquired for db=" + id + ", owner=" + owner + ", to " + purpose);
    }

    void retrying(String id, int retry, int of, Duration wait) {
        say(
                "\u23F3",
                "Lock held by another process, retrying... db=" + id + ", retry " + retry + " of " + of
                        + ", waiting up to " + wait.toMillis() + " ms");
    }

    void notLocked(String id, int attempts) {
        say("\u274C", "Lock not acquired for db=" + id + " after " + attempts + " attempts; nothing is stopped");
    }

    void released(LockKey key, String owner) {
        say("\uD83D\uDD13", "Lock released for " + key.name() + ", owner=" + owner);
    }

    void looking(StopUnit unit) {
        say("\uD83D\uDD0D", "Processing " + types(unit) + " database: " + unit.id());
        say(
                "\uD83D\uDD0D",
                types(unit) + " shared with " + unit.sharers().size() + " application(s): "
                        + String.join(", ", unit.sharers()) + ", db=" + unit.id());
    }

    void seen(String id, List<AppObservation> sightings) {
        for (AppObservation seen : sightings) {
            boolean gone = seen.isDown();
            say(
                    gone ? "\u2705" : "\u26A0\uFE0F",
                    seen.app() + " is " + seen.evidence().status() + shown(seen) + ", db=" + id);
        }
    }

    /** Before what was judged is done. */
    void judged(StopUnit unit, GuardDecision decision) {
        if (decision.outcome() == GuardOutcome.SKIPPED_SHARED_ACTIVE) {
            List<String> active = decision.evidence().stream()
                    .filter(seen -> !seen.status().equals("DOWN"))
                    .map(Evidence::app)
                    .toList();
            say(
                    "\u26A0\uFE0F",
                    types(unit) + " shared with active apps: " + String.join(", ", active) + ". Skipping stop. db="
                            + unit.id());
        }
    }

    void stopping(StopUnit unit) {
        say("\u2705", "All sharing applications are DOWN - stopping " + types(unit) + " database... db=" + unit.id());
    }

    void decided(GuardDecision decision) {
        boolean done = decision.outcome() == GuardOutcome.STOPPED || decision.outcome() == GuardOutcome.STARTED;
        String only = done && decision.recordedOnly() ? " (recorded only)" : "";
        say(
                done ? "\u2705" : "\u26A0\uFE0F",
                "db=" + decision.dbIdentifier() + " " + decision.outcome().label() + only + ": " + decision.reason());
    }

    void acting(String id, String what, String actuator, long token) {
        say("\u2699\uFE0F", "db=" + id + ": " + what + " with actuator '" + actuator + "', token " + token);
    }

    private static String types(StopUnit unit) {
        return String.join(", ", unit.types());
    }

    private static String shown(AppObservation seen) {
        return seen.probed().httpCode().isPresent()
                ? " (HTTP " + seen.probed().httpCode().getAsInt() + ")"
                : " (" + Registration.shown(seen.probed().detail()) + ")";
    }

    private void say(String symbol, String line) {
        lines.accept(symbols ? symbol + " " + line : line);
    }
}
