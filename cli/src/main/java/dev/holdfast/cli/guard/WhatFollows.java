package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Screen;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import java.util.List;
import java.util.Optional;

/** What happens next with a database that was not stopped or started at once: for people, below the decisions. */
final class WhatFollows {
    private WhatFollows() {}

    /** After a stop: who keeps the database running, and that nobody has to ask again. Nothing once it is stopped. */
    static Optional<String> afterStop(String app, GuardDecision decision) {
        String database = Screen.clean(decision.dbIdentifier());
        return switch (decision.outcome()) {
            case STOPPED -> Optional.empty();
            case SKIPPED_SHARED_ACTIVE -> Optional.of(whileNeeded(app, database, needing(decision)));
            default -> Optional.of(database + " is not stopped yet. " + goesOn("stop", database));
        };
    }

    /** After a start: that it goes on. Nothing once it runs. */
    static Optional<String> afterStart(GuardDecision decision) {
        String database = Screen.clean(decision.dbIdentifier());
        return decision.outcome() == GuardOutcome.STARTED
                ? Optional.empty()
                : Optional.of(
                        database + " does not run yet: wait before you start the app. " + goesOn("start", database));
    }

    private static String whileNeeded(String app, String database, List<String> needing) {
        List<String> others =
                needing.stream().filter(other -> !other.equals(app)).toList();
        if (!others.isEmpty()) {
            boolean one = others.size() == 1;
            return database + " keeps running because " + String.join(", ", others) + (one ? " needs it." : " need it.")
                    + " The stop is stored: when "
                    + (one ? others.get(0) + " no longer needs it" : "none of them needs it")
                    + " (holdfast guard stop " + others.get(0) + "), a server stops it by itself.";
        }
        return needing.isEmpty()
                ? database + " keeps running for now. " + goesOn("stop", database)
                : database + " keeps running until " + app + " is down: 'guard stop' does not stop the app. The stop is"
                        + " stored: a server then stops the database by itself.";
    }

    private static String goesOn(String what, String database) {
        return "The " + what + " is stored, and a server tries again every few seconds. To look: holdfast guard status "
                + database;
    }

    /** Those that were seen at work, or are about to be. */
    private static List<String> needing(GuardDecision decision) {
        return decision.evidence().stream()
                .filter(seen -> List.of("UP", "STARTING").contains(seen.status()))
                .map(seen -> Screen.clean(seen.app()))
                .toList();
    }
}
