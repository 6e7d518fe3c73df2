package dev.holdfast.guard;

import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The guard's story for people, a line per step. */
final class DecisionLog {
    private final Consumer<String> lines;
    private final boolean symbols;

    DecisionLog(Consumer<String> lines, boolean symbols) {
        this.lines = lines;
        this.symbols = symbols;
    }

    void locked(String id, String owner, String purpose) {
        say("\uD83D\uDD12", "lock acquired: db=" + id + " owner=" + owner + " to " + purpose);
    }

    void retrying(String id, int retry, int of, Duration wait) {
        say(
                "\u23F3",
                "lock held by another: db=" + id + ", retry " + retry + " of " + of + ", waiting up to "
                        + wait.toMillis() + " ms");
    }

    void notLocked(String id, int attempts) {
        say("\u274C", "lock not acquired: db=" + id + " after " + attempts + " attempts; nothing is stopped");
    }

    void released(LockKey key, String owner) {
        say("\uD83D\uDD13", "lock released: " + key.name() + " owner=" + owner);
    }

    void looking(Unit unit) {
        say(
                "\uD83D\uDD0D",
                "db=" + unit.id() + " (" + String.join(", ", unit.types()) + ") is used by "
                        + unit.sharers().size() + " app(s): " + String.join(", ", unit.sharers()));
    }

    void seen(String id, List<Sighting> sightings) {
        for (Sighting seen : sightings) {
            boolean gone = seen.isDown();
            say(
                    gone ? "\u2705" : "\u26A0\uFE0F",
                    "db=" + id + ": " + seen.app() + " is " + seen.evidence().status() + shown(seen));
        }
    }

    void decided(Decision decision) {
        boolean done = decision.outcome() == Outcome.STOPPED || decision.outcome() == Outcome.STARTED;
        say(
                done ? "\u2705" : "\u26A0\uFE0F",
                "db=" + decision.dbIdentifier() + " " + decision.outcome().label() + ": " + decision.reason());
    }

    void acting(String id, String what, String actuator, long token) {
        say("\u2699\uFE0F", "db=" + id + ": " + what + " with actuator '" + actuator + "', token " + token);
    }

    private static String shown(Sighting seen) {
        return seen.probed().httpCode().isPresent()
                ? " (HTTP " + seen.probed().httpCode().getAsInt() + ")"
                : " (" + Registration.shown(seen.probed().detail()) + ")";
    }

    private void say(String symbol, String line) {
        lines.accept(symbols ? symbol + " " + line : line);
    }
}
