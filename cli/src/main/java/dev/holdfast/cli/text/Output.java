package dev.holdfast.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a command shows what it found: for people as a table, for programs as JSON or YAML with the names of the REST calls, or
 * only the names. What was asked for goes to standard output, everything said about it to standard error.
 */
public final class Output {
    private static final DefaultPrettyPrinter INDENTED = new DefaultPrettyPrinter(
            Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));

    private static final int LABEL_WIDTH = 18;

    /** The constants are spelled as people type them. */
    public enum Format {
        table,
        json,
        yaml,
        name
    }

    /** When to use colours. */
    enum Colour {
        auto,
        always,
        never
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Format format = Format.table;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "${COMPLETION-CANDIDATES}; auto: on a terminal, unless NO_COLOR is set.")
    private Colour colour = Colour.auto;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Something that writes itself as one JSON value. */
    @FunctionalInterface
    public interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    public Format format() {
        return format;
    }

    /** Whether people read it, not programs. */
    public boolean isTable() {
        return format == Format.table;
    }

    /** Where data goes. */
    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Where everything else goes. */
    public PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** The text for standard output, in this colour if colours are wanted. */
    public String painted(Ink ink, String text) {
        return colours(Terminal.STDOUT) ? ink.on(text) : text;
    }

    /** The text for standard error, in this colour if colours are wanted. */
    public String paintedTalk(Ink ink, String text) {
        return colours(Terminal.STDERR) ? ink.on(text) : text;
    }

    /** Prints a line of data. */
    public void println(String line) {
        out().println(line);
    }

    /** Says something about the data. */
    public void say(String text) {
        err().println(text);
    }

    /** Tells people that something was done. */
    public void done(String what) {
        println(painted(Ink.GOOD, "✓") + " " + what);
    }

    /** Prints what is said under a label, as one of several lines. */
    public void line(String label, String value) {
        String padded = label + " ".repeat(Math.max(1, LABEL_WIDTH - Screen.width(label)));
        println((painted(Ink.QUIET, padded) + value).stripTrailing());
    }

    /** Shows one thing in the format that was asked for; its names one a line. */
    public void show(Part value, Stream<String> names, Runnable forPeople) {
        switch (format) {
            case json, yaml -> print(value);
            case name -> names.forEach(this::println);
            case table -> forPeople.run();
        }
    }

    /** Shows many things, or says that there is nothing. */
    public <T> void showAll(
            Collection<T> items, ItemPart<T> each, Function<T, String> name, String nothing, Runnable forPeople) {
        Part all = json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("items");
            for (T item : items) {
                each.write(json, item);
            }
            json.writeEndArray();
            json.writeEndObject();
        };
        show(all, items.stream().map(name), items.isEmpty() ? () -> say(nothing) : forPeople);
    }

    /** Prints a table, as wide as the screen allows. */
    public <T> void print(Table<T> table, Collection<T> rows) {
        table.print(rows, out(), Terminal.width(Terminal.STDOUT), colours(Terminal.STDOUT));
        out().flush();
    }

    /** Prints one value as JSON or YAML. */
    public void print(Part value) {
        if (format == Format.yaml) {
            out().print(Yaml.ofJson(text(value, false)));
        } else {
            out().println(text(value, Terminal.is(Terminal.STDOUT)));
        }
        out().flush();
    }

    /** Prints one value of a stream: one line of JSON, or one YAML document. */
    public void printNext(Part value) {
        out().println(
                        format == Format.yaml
                                ? "---\n" + Yaml.ofJson(text(value, false)).stripTrailing()
                                : text(value, false));
        out().flush();
    }

    /** Writes one of many as one JSON value. */
    @FunctionalInterface
    public interface ItemPart<T> {
        void write(JsonGenerator json, T item) throws IOException;
    }

    private boolean colours(int stream) {
        return switch (colour) {
            case always -> true;
            case never -> false;
            case auto ->
                isEmpty(System.getenv("NO_COLOR")) && !"dumb".equals(System.getenv("TERM")) && Terminal.is(stream);
        };
    }

    private static boolean isEmpty(@Nullable String value) {
        return value == null || value.isEmpty();
    }

    private static String text(Part value, boolean indented) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            if (indented) {
                json.setPrettyPrinter(INDENTED);
            }
            value.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return text.toString();
    }
}
