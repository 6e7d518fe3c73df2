package dev.holdfast.cli.serve;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How {@code config show} prints settings. The constants are spelled as people type them. */
enum SettingsFormat {
    /** For people. */
    table,
    /** For a file: what is a default anyway, and what is secret, is only there as a comment. */
    yaml,
    /** For scripts. */
    json;

    /** A longer value does not push the last column off the screen for all lines. */
    private static final int WIDEST = 60;

    /** Values that are text in YAML, or read as text by the server, without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9./][A-Za-z0-9._/-]*");

    void print(List<Settings.Line> lines, boolean origin, PrintWriter out) {
        switch (this) {
            case table -> table(lines, origin, out);
            case yaml -> lines.forEach(line -> out.println(yaml(line) + (origin ? " # " + line.origin() : "")));
            case json ->
                out.println(lines.stream()
                        .map(line -> "  {" + json(line, origin) + "}")
                        .collect(Collectors.joining(",\n", "[\n", "\n]")));
        }
    }

    private static void table(List<Settings.Line> lines, boolean origin, PrintWriter out) {
        int keys = width(lines.stream().map(Settings.Line::key));
        int values = width(lines.stream().map(Settings.Line::value));
        String row = "%-" + keys + "s  %-" + values + "s  %s";
        out.println(String.format(row, "KEY", "VALUE", origin ? "ORIGIN" : "").stripTrailing());
        for (Settings.Line line : lines) {
            String from = origin ? line.origin().toString() : "";
            out.println(String.format(row, line.key(), line.value(), from).stripTrailing());
        }
    }

    private static int width(Stream<String> cells) {
        return Math.min(WIDEST, cells.mapToInt(String::length).max().orElse(0));
    }

    private static String yaml(Settings.Line line) {
        boolean comment =
                line.origin().level() == Origin.Level.DEFAULT || line.value().contains("***");
        String value = PLAIN.matcher(line.value()).matches() ? line.value() : quoted(line.value());
        return (comment ? "# " : "") + line.key() + ": " + value;
    }

    private static String json(Settings.Line line, boolean origin) {
        return "\"key\": " + quoted(line.key()) + ", \"value\": " + quoted(line.value())
                + (origin ? ", \"origin\": " + quoted(line.origin().toString()) : "");
    }

    /** A string of JSON, which YAML reads too. Lists and maps stay one string; the server takes them so. */
    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
