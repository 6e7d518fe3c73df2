package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

record GuardText(Output output) {
    /** An answer in the format that was asked for; the names are those of the databases that are meant. */
    void print(Json answer, boolean explain, Predicate<Json> meant) {
        List<Json> decisions = answer.at("decisions").items();
        output.show(
                answer::writeTo,
                decisions.stream().filter(meant).map(decision -> clean(decision.at("db_identifier"))),
                explain ? () -> explained(decisions) : () -> decisions(answer, decisions));
    }

    private void decisions(Json answer, List<Json> decisions) {
        if (decisions.isEmpty()) {
            output.say("App '" + clean(answer.at("app")) + "' uses no database");
            return;
        }
        Table<Json> table = new Table<Json>()
                .column("DATABASE", decision -> decision.at("db_identifier").plain())
                .cells(
                        "DECISION",
                        decision -> Table.Cell.of(
                                ink(decision), decision.at("decision").plain() + only(decision)))
                .flexible("REASON", decision -> decision.at("reason").plain());
        output.print(table, decisions);
    }

    /** Each decision with everything it rests on. */
    void explained(List<Json> decisions) {
        boolean first = true;
        for (Json decision : decisions) {
            if (!first) {
                output.out().println();
            }
            first = false;
            explained(decision);
        }
    }

    private void explained(Json decision) {
        output.line("Database", output.painted(Ink.STRONG, clean(decision.at("db_identifier"))));
        output.line("Decision", output.painted(ink(decision), clean(decision.at("decision")) + only(decision)));
        output.line("  because", clean(decision.at("reason")));
        output.line("  for app", clean(decision.at("app")));
        output.line("  decided", clean(decision.at("decided_at")));
        if (!decision.at("fencing_token").plain().equals("0")) {
            output.line("  fencing token", clean(decision.at("fencing_token")));
        }
        for (Json seen : decision.at("evidence").items()) {
            output.line("  app " + clean(seen.at("app")), sight(seen) + ", looked at " + clean(seen.at("checked_at")));
        }
        if (decision.at("evidence").items().isEmpty()) {
            output.line("  apps", "were not looked at");
        }
    }

    String sight(Json seen) {
        String status = seen.at("status").plain();
        String code = seen.at("http_code").isNull() ? "" : " (HTTP " + clean(seen.at("http_code")) + ")";
        return output.painted(status.equals("DOWN") ? Ink.QUIET : Ink.CAREFUL, Screen.clean(status)) + code;
    }

    /** Says of what was stopped or started that nothing was touched, if it was not. */
    static String only(Json decision) {
        String word = decision.at("decision").plain();
        boolean done = word.equals("stopped") || word.equals("started");
        return done && isRecordedOnly(decision) ? " (recorded only)" : "";
    }

    static boolean isRecordedOnly(Json decisionOrResource) {
        return decisionOrResource.at("recorded_only").plain().equals("true");
    }

    static Ink ink(Json decision) {
        String word = decision.at("decision").plain();
        if (word.equals("needed")) {
            return Ink.BAD;
        }
        return word.startsWith("skipped") ? Ink.CAREFUL : word.equals("pending") ? Ink.STRONG : Ink.GOOD;
    }

    static String joined(Json list, String field) {
        return list.items().stream().map(entry -> entry.at(field).plain()).collect(Collectors.joining(","));
    }

    static String joined(Json list) {
        return list.items().stream().map(Json::plain).collect(Collectors.joining(","));
    }

    static String clean(Json text) {
        return Screen.clean(text.plain());
    }
}
