package dev.holdfast.bench.peers.report;

import dev.holdfast.bench.peers.worker.Figures;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tables to read: a line for each run while it goes on, then medians with their spread, then the goals. */
public record Tables(PrintWriter out) {
    private static final Set<String> COMMON =
            Set.of(Figures.RATE, Figures.P50, Figures.P99, Figures.CLIENT, Figures.SERVER);
    private static final String LINE = "  %-42s %12s  %-19s %9s %9s %9s %9s%s%n";

    /** One run, as it comes. */
    public void run(int round, Results.Row row, Figures figures) {
        StringBuilder text = new StringBuilder();
        figures.values().forEach((name, value) -> {
            if (Double.isFinite(value)) {
                text.append("  ").append(name).append(' ').append(number(value));
            }
        });
        line(String.format(
                Locale.ROOT, "%d %s  %-26s %-40s%s", round, row.part().letter(), row.setting(), row.who(), text));
    }

    public void line(String text) {
        out.println(text);
        out.flush();
    }

    public void medians(Results results, List<Part> parts) {
        for (Part part : parts) {
            if (results.rows(part).isEmpty()) {
                continue;
            }
            line("");
            line(part.letter() + "  " + part.title());
            for (String setting : results.settings(part)) {
                line("");
                out.printf(
                        LINE,
                        setting,
                        part.unit(),
                        "lowest to highest",
                        "p50 µs",
                        "p99 µs",
                        "client µs",
                        "server µs",
                        "");
                results.rows(part).stream()
                        .filter(row -> row.setting().equals(setting))
                        .forEach(row -> medians(results, row));
            }
        }
        out.flush();
    }

    private void medians(Results results, Results.Row row) {
        Optional<Spread> rate = results.spread(row, Figures.RATE);
        StringBuilder more = new StringBuilder();
        for (String name : results.names(row)) {
            if (!COMMON.contains(name)) {
                results.spread(row, name)
                        .ifPresent(spread ->
                                more.append("  ").append(name).append(' ').append(number(spread.median())));
            }
        }
        out.printf(
                LINE,
                (row.ours() ? "* " : "  ") + row.who(),
                rate.map(spread -> number(spread.median())).orElse(""),
                rate.filter(spread -> spread.runs() > 1)
                        .map(spread -> number(spread.lowest()) + " to " + number(spread.highest()))
                        .orElse(""),
                median(results, row, Figures.P50),
                median(results, row, Figures.P99),
                median(results, row, Figures.CLIENT),
                median(results, row, Figures.SERVER),
                more);
    }

    private static String median(Results results, Results.Row row, String name) {
        return results.spread(row, name).map(spread -> number(spread.median())).orElse("");
    }

    /** What was wanted, and what was missed. */
    public void goals(List<Goals.Verdict> verdicts) {
        line("");
        out.printf("  %-58s %10s  %14s%n", "goal", "measured", "wanted");
        for (Goals.Verdict verdict : verdicts) {
            out.printf(
                    Locale.ROOT,
                    "  %-58s %10s  %14s  %s%n",
                    verdict.what(),
                    verdict.measured().map(Tables::number).orElse("-"),
                    (verdict.side() == Goals.Side.AT_LEAST ? "at least " : "at most ") + number(verdict.goal()),
                    verdict.word());
        }
        long missed = verdicts.stream().filter(Goals.Verdict::isMissed).count();
        long unknown = verdicts.stream()
                .filter(verdict -> verdict.measured().isEmpty())
                .count();
        line(String.format(
                "  %d of %d goals reached, %d missed, %d not measured",
                verdicts.size() - missed - unknown, verdicts.size(), missed, unknown));
    }

    /** What was left out, each reason once. */
    public void skipped(List<Results.Skipped> skipped) {
        line("");
        line("  left out: " + skipped.size());
        Map<String, Long> reasons = new LinkedHashMap<>();
        skipped.forEach(
                one -> reasons.merge(one.part().letter() + "  " + one.what() + ": " + one.reason(), 1L, Long::sum));
        reasons.forEach((reason, count) -> line("    " + reason + (count > 1 ? " (" + count + " times)" : "")));
    }

    /** With as many digits as are of use. */
    static String number(double value) {
        double size = Math.abs(value);
        return size >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value).replace(',', ' ')
                : String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
    }
}
