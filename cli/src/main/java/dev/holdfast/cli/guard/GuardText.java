package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
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
    void print(JsonTree answer, boolean explain, Predicate<JsonTree> meant) {
        List<JsonTree> decisions = answer.get("decisions").list();
        switch (output.format()) {
            case json, yaml -> output.print(answer::write);
            case name ->
                decisions.stream()
                        .filter(meant)
                        .forEach(decision -> output.out().println(clean(decision.get("db_identifier"))));
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
    private void decisions(JsonTree answer) {
        Table table = new Table("DATABASE", "DECISION", "REASON").flexible("DATABASE", "REASON");
        for (JsonTree decision : answer.get("decisions").list()) {
            table.row(
                    Table.Cell.of(decision.get("db_identifier").text()),
                    Table.Cell.of(ink(decision), decision.get("decision").text() + only(decision)),
                    Table.Cell.of(decision.get("reason").text()));
        }
        if (table.isEmpty()) {
            output.err().println("App '" + Screen.clean(answer.get("app").text()) + "' uses no database");
        } else {
            output.print(table);
        }
    }

    /** Each decision with everything it rests on. */
    void explained(List<JsonTree> decisions) {
        boolean first = true;
        for (JsonTree decision : decisions) {
            if (!first) {
                output.out().println();
            }
            first = false;
            explained(decision);
        }
    }

    private void explained(JsonTree decision) {
        line("Database", output.painted(Ink.STRONG, clean(decision.get("db_identifier"))));
        line("Decision", output.painted(ink(decision), clean(decision.get("decision")) + only(decision)));
        line("  because", clean(decision.get("reason")));
        line("  for app", clean(decision.get("app")));
        line("  decided", clean(decision.get("decided_at")));
        if (!decision.get("fencing_token").text().equals("0")) {
            line("  fencing token", clean(decision.get("fencing_token")));
        }
        for (JsonTree seen : decision.get("evidence").list()) {
            line("  app " + clean(seen.get("app")), sight(seen) + ", looked at " + clean(seen.get("checked_at")));
        }
        if (decision.get("evidence").list().isEmpty()) {
            line("  apps", "were not looked at");
        }
    }

    /** An app and what was seen of it. */
    String sight(JsonTree seen) {
        String status = seen.get("status").text();
        String code = seen.get("http_code").isNull() ? "" : " (HTTP " + clean(seen.get("http_code")) + ")";
        return output.painted(status.equals("DOWN") ? Ink.QUIET : Ink.CAREFUL, Screen.clean(status)) + code;
    }

    /** Says of what was stopped or started that nothing was touched, if it was not. */
    static String only(JsonTree decision) {
        String word = decision.get("decision").text();
        boolean done = word.equals("stopped") || word.equals("started");
        return done && isRecordedOnly(decision) ? " (recorded only)" : "";
    }

    static boolean isRecordedOnly(JsonTree decisionOrResource) {
        return decisionOrResource.get("recorded_only").text().equals("true");
    }

    static Ink ink(JsonTree decision) {
        String word = decision.get("decision").text();
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
    static String joined(JsonTree list, String field) {
        return list.list().stream().map(entry -> entry.get(field).text()).collect(Collectors.joining(","));
    }

    static String clean(JsonTree text) {
        return Screen.clean(text.text());
    }
}
