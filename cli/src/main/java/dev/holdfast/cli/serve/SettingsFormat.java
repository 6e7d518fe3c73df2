package dev.holdfast.cli.serve;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** How {@code config show} prints settings. The constants are spelled as people type them. */
enum SettingsFormat {
    /** For people. */
    table {
        @Override
        void print(List<Settings.Line> lines, boolean origin, PrintWriter out) {
            int keys = width(lines.stream().map(Settings.Line::key).toList());
            int values = width(lines.stream().map(Settings.Line::value).toList());
            row(out, keys, values, "KEY", "VALUE", origin ? "ORIGIN" : "");
            for (Settings.Line line : lines) {
                row(
                        out,
                        keys,
                        values,
                        line.key(),
                        line.value(),
                        origin ? line.origin().toString() : "");
            }
        }
    },
    /** For a file: what is a default anyway, and what is secret, is only there as a comment. */
    yaml {
        @Override
        void print(List<Settings.Line> lines, boolean origin, PrintWriter out) {
            for (Settings.Line line : lines) {
                boolean comment = line.origin().level() == Origin.Level.DEFAULT
                        || line.value().contains("***");
                String value = PLAIN.matcher(line.value()).matches() ? line.value() : quoted(line.value());
                out.println((comment ? "# " : "") + line.key() + ": " + value + (origin ? " # " + line.origin() : ""));
            }
        }
    },
    /** For scripts. */
    json {
        @Override
        void print(List<Settings.Line> lines, boolean origin, PrintWriter out) {
            out.println("[");
            for (int i = 0; i < lines.size(); i++) {
                Settings.Line line = lines.get(i);
                out.println("  {\"key\": " + quoted(line.key()) + ", \"value\": " + quoted(line.value())
                        + (origin ? ", \"origin\": " + quoted(line.origin().toString()) : "")
                        + (i + 1 < lines.size() ? "}," : "}"));
            }
            out.println("]");
        }
    };

    /** A longer value does not push the last column off the screen for all lines. */
    private static final int WIDEST = 60;

    /** Values that are text in YAML, or read as text by the server, without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9./][A-Za-z0-9._/-]*");

    abstract void print(List<Settings.Line> lines, boolean origin, PrintWriter out);

    private static int width(List<String> cells) {
        return Math.min(WIDEST, cells.stream().mapToInt(String::length).max().orElse(0));
    }

    private static void row(PrintWriter out, int keys, int values, String key, String value, String origin) {
        String row = String.format(Locale.ROOT, "%-" + keys + "s  %-" + values + "s  %s", key, value, origin);
        out.println(row.stripTrailing());
    }

    /** A string of JSON, which YAML reads too. Lists and maps stay one string; the server takes them so. */
    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
