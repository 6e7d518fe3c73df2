package dev.holdfast.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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
        /** The table with everything in it, however long the lines are. */
        wide,
        json,
        yaml,
        name,
        /** One field of what JSON shows. */
        value
    }

    /** What was asked for; the field only for {@link Format#value}. */
    record Shape(Format format, Optional<FieldPath> field) {
        private static final String VALUE = Format.value + "=";

        /** As it is given. The parser asks; what a record would answer by itself takes longer than the rest of its work. */
        @Override
        public String toString() {
            return field.map(it -> VALUE + it.text()).orElseGet(format::name);
        }

        /** Reads {@code json} or {@code value=FIELD}. */
        static final class Converter implements ITypeConverter<Shape> {
            @Override
            public Shape convert(String text) {
                if (text.startsWith(VALUE)) {
                    try {
                        return new Shape(Format.value, Optional.of(FieldPath.of(text.substring(VALUE.length()))));
                    } catch (IllegalArgumentException e) {
                        throw new TypeConversionException(String.valueOf(e.getMessage()));
                    }
                }
                return Arrays.stream(Format.values())
                        .filter(it -> it != Format.value && it.name().equals(text))
                        .findFirst()
                        .map(it -> new Shape(it, Optional.empty()))
                        .orElseThrow(
                                () -> new TypeConversionException("'" + text + "' is not an output format. There are "
                                        + String.join(", ", words()) + "." + NearWords.ending(text, words())));
            }
        }

        /** For the shell and the help. */
        static final class Candidates implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return words().iterator();
            }
        }

        private static List<String> words() {
            return Arrays.stream(Format.values())
                    .map(it -> it == Format.value ? VALUE + "FIELD" : it.name())
                    .toList();
        }
    }

    enum Colour {
        auto,
        always,
        never
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = Shape.Converter.class,
            completionCandidates = Shape.Candidates.class,
            description =
                    "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}). A FIELD is one of those of json, such as"
                            + " holders[0].owner.")
    private Shape shape = new Shape(Format.table, Optional.empty());

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "${COMPLETION-CANDIDATES}; auto: on a terminal, unless NO_COLOR is set.")
    private Colour colour = Colour.auto;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public Format format() {
        return shape.format();
    }

    /** Whether people read it, not programs. */
    public boolean isTable() {
        return format() == Format.table || format() == Format.wide;
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** The text for standard output, in this colour if colours are wanted. */
    public String painted(TextColour ink, String text) {
        return colours(Terminal.STDOUT) ? ink.on(text) : text;
    }

    /** The text for standard error, in this colour if colours are wanted. */
    public String paintedTalk(TextColour ink, String text) {
        return colours(Terminal.STDERR) ? ink.on(text) : text;
    }

    public void println(String line) {
        out().println(line);
    }

    /** Says something about the data. */
    public void say(String text) {
        err().println(text);
    }

    public void done(String what) {
        println(painted(TextColour.GOOD, "✓") + " " + what);
    }

    /** Prints what is said under a label, as one of several lines. */
    public void line(String label, String value) {
        String padded = label + " ".repeat(Math.max(1, LABEL_WIDTH - Screen.width(label)));
        println((painted(TextColour.QUIET, padded) + value).stripTrailing());
    }

    /** Shows one thing in the format that was asked for; its names one a line. */
    public void show(JsonText.Part value, Stream<String> names, Runnable forPeople) {
        switch (format()) {
            case json, yaml -> print(value);
            case name -> names.forEach(this::println);
            case value -> printFields(List.of(Json.parse(JsonText.bytes(value))));
            case table, wide -> forPeople.run();
        }
    }

    private void printFields(List<Json> values) {
        shape.field().ifPresent(field -> field.of(values).forEach(this::println));
    }

    /** Shows many things, or says that there is nothing. */
    public <T> void showAll(
            Collection<T> items, JsonText.Item<T> each, Function<T, String> name, String nothing, Runnable forPeople) {
        JsonText.Part all = JsonText.wrapped(json -> {
            JsonText.values(json, "items", items, each);
        });
        if (format() == Format.value) {
            printFields(Json.parse(JsonText.bytes(all)).at("items").items());
            return;
        }
        show(all, items.stream().map(name), items.isEmpty() ? () -> say(nothing) : forPeople);
    }

    /** Prints a table, as wide as the screen allows. */
    public <T> void print(Table<T> table, Collection<T> rows) {
        print(table, rows, out());
        out().flush();
    }

    /** The table as it would be on the screen, or that there is nothing. */
    public <T> String drawn(Table<T> table, Collection<T> rows, String nothing) {
        StringWriter text = new StringWriter();
        print(table, rows, new PrintWriter(text));
        return rows.isEmpty() ? nothing : text.toString();
    }

    private <T> void print(Table<T> table, Collection<T> rows, PrintWriter to) {
        table.print(
                rows,
                to,
                new Table.Room(Terminal.width(Terminal.STDOUT), format() == Format.wide, colours(Terminal.STDOUT)));
    }

    public void print(JsonText.Part value) {
        if (format() == Format.yaml) {
            out().print(Yaml.ofJson(text(value, false)));
        } else {
            out().println(text(value, Terminal.is(Terminal.STDOUT)));
        }
        out().flush();
    }

    /** Prints one value of a stream: one line of JSON, or one YAML document. */
    public void printNext(JsonText.Part value) {
        switch (format()) {
            case value -> printFields(List.of(Json.parse(JsonText.bytes(value))));
            case yaml -> println("---\n" + Yaml.ofJson(text(value, false)).stripTrailing());
            default -> println(text(value, false));
        }
        out().flush();
    }

    private boolean colours(int stream) {
        return switch (colour) {
            case always -> true;
            case never -> false;
            case auto -> Terminal.hasColours(stream);
        };
    }

    private static String text(JsonText.Part value, boolean indented) {
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
