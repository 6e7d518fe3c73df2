package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the guard decided, for people. */
final class GuardText {
    private final Output output;

    GuardText(Output output) {
        this.output = output;
    }

    /** An answer in the format that was asked for; the names are those of the databases that are meant. */
    void print(Json answer, boolean explain, Predicate<Json> meant) {
        List<Json> decisions = answer.at("decisions").items();
        switch (output.format()) {
            case json, yaml -> output.print(answer::writeTo);
            case name ->
                decisions.stream()
                        .filter(meant)
                        .forEach(decision -> output.out().println(clean(decision.at("db_identifier"))));
            case table -> {
                if (explain) {
                    explained(decisions);
                } else {
                    decisions(answer);
                }
            }
        }
        output.out().flush();
    }

    /** A line for each decision. */
    private void decisions(Json answer) {
        Table table = new Table("DATABASE", "DECISION", "REASON").flexible("DATABASE", "REASON");
        for (Json decision : answer.at("decisions").items()) {
            table.row(
                    Table.Cell.of(decision.at("db_identifier").plain()),
                    Table.Cell.of(ink(decision), decision.at("decision").plain() + only(decision)),
                    Table.Cell.of(decision.at("reason").plain()));
        }
        if (table.isEmpty()) {
            output.err().println("App '" + Screen.clean(answer.at("app").plain()) + "' uses no database");
        } else {
            output.print(table);
        }
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
        line("Database", output.painted(Ink.STRONG, clean(decision.at("db_identifier"))));
        line("Decision", output.painted(ink(decision), clean(decision.at("decision")) + only(decision)));
        line("  because", clean(decision.at("reason")));
        line("  for app", clean(decision.at("app")));
        line("  decided", clean(decision.at("decided_at")));
        if (!decision.at("fencing_token").plain().equals("0")) {
            line("  fencing token", clean(decision.at("fencing_token")));
        }
        for (Json seen : decision.at("evidence").items()) {
            line("  app " + clean(seen.at("app")), sight(seen) + ", looked at " + clean(seen.at("checked_at")));
        }
        if (decision.at("evidence").items().isEmpty()) {
            line("  apps", "were not looked at");
        }
    }

    /** An app and what was seen of it. */
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

    void line(String label, String value) {
        String padded = label + " ".repeat(Math.max(1, 18 - Screen.width(label)));
        output.out().println(output.painted(Ink.QUIET, padded) + value);
    }

    /** The names in a list of objects, joined. */
    static String joined(Json list, String field) {
        return list.items().stream().map(entry -> entry.at(field).plain()).collect(Collectors.joining(","));
    }

    static String clean(Json text) {
        return Screen.clean(text.plain());
    }
}
