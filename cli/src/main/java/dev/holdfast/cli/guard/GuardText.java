package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.wire.Rfc3339;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

record GuardText(Output output) {
    /** An answer in the format that was asked for; the names are those of the databases that are meant. */
    void print(GuardAnswer answer, boolean dry, boolean explain, Predicate<GuardDecision> meant) {
        output.show(
                AnswerJson.write(answer, dry)::writeTo,
                answer.decisions().stream().filter(meant).map(decision -> Screen.clean(decision.dbIdentifier())),
                explain ? () -> explained(answer.decisions()) : () -> decisions(answer));
    }

    private void decisions(GuardAnswer answer) {
        if (answer.decisions().isEmpty()) {
            output.say("App '" + Screen.clean(answer.app()) + "' uses no database");
            return;
        }
        Table<GuardDecision> table = new Table<GuardDecision>()
                .column("DATABASE", GuardDecision::dbIdentifier)
                .cells("DECISION", decision -> Table.Cell.of(colour(decision.outcome()), word(decision)))
                .flexible("REASON", GuardDecision::reason);
        output.print(table, answer.decisions());
    }

    /** Each decision with everything it rests on. */
    void explained(List<GuardDecision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            if (i > 0) {
                output.out().println();
            }
            explained(decisions.get(i));
        }
    }

    private void explained(GuardDecision decision) {
        output.line("Database", output.painted(TextColour.STRONG, Screen.clean(decision.dbIdentifier())));
        output.line("Decision", output.painted(colour(decision.outcome()), word(decision)));
        output.line("  because", Screen.clean(decision.reason()));
        output.line("  for app", Screen.clean(decision.app()));
        output.line("  decided", Rfc3339.text(decision.at()));
        if (decision.fencingToken() != 0) {
            output.line("  fencing token", Long.toString(decision.fencingToken()));
        }
        for (Evidence seen : decision.evidence()) {
            output.line(
                    "  app " + Screen.clean(seen.app()),
                    sight(seen.status(), seen.httpCode()) + ", looked at " + Rfc3339.text(seen.checkedAt()));
        }
        if (decision.evidence().isEmpty()) {
            output.line("  apps", "were not looked at");
        }
    }

    String sight(String status, OptionalInt httpCode) {
        String code = httpCode.isEmpty() ? "" : " (HTTP " + httpCode.getAsInt() + ")";
        return output.painted(status.equals("DOWN") ? TextColour.QUIET : TextColour.CAREFUL, Screen.clean(status))
                + code;
    }

    /** Also says of what was stopped or started that nothing was touched, if it was not. */
    private static String word(GuardDecision decision) {
        boolean done = decision.outcome() == GuardOutcome.STOPPED || decision.outcome() == GuardOutcome.STARTED;
        return decision.outcome().label() + (done && decision.recordedOnly() ? " (recorded only)" : "");
    }

    private static TextColour colour(GuardOutcome outcome) {
        return switch (outcome) {
            case NEEDED -> TextColour.BAD;
            case SKIPPED_SHARED_ACTIVE, SKIPPED_UNKNOWN, SKIPPED_LOCK -> TextColour.CAREFUL;
            case PENDING -> TextColour.STRONG;
            case STOPPED, STARTED -> TextColour.GOOD;
        };
    }
}
