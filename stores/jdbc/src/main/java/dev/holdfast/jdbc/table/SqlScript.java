package dev.holdfast.jdbc.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The statements that make or remove what a store keeps, from a file that people can read too. */
public final class SqlScript {
    private static final Pattern VIEW = Pattern.compile("(?:create|drop) view (?:if exists )?(\\w+).*", Pattern.DOTALL);

    private static final Pattern TABLE = Pattern.compile("create table (\\w+).*", Pattern.DOTALL);
    private static final Pattern INDEX = Pattern.compile("create index (\\w+) on .*", Pattern.DOTALL);

    private SqlScript() {}

    /** The whole text, comments included. */
    public static String text(String resource) {
        try (InputStream in = SqlScript.class.getResourceAsStream("/dev/holdfast/jdbc/" + resource)) {
            if (in == null) {
                throw new IllegalStateException("resource '" + resource + "' is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource '" + resource + "' cannot be read", e);
        }
    }

    /** The statements of a text whose comments have lines of their own. */
    public static List<String> statements(String text) {
        String bare = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        return Arrays.stream(bare.split(";\n|;$", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** The view that a statement makes or removes, if it does. */
    public static Optional<String> view(String statement) {
        return named(VIEW, statement);
    }

    /** The table that a statement makes, if it does. */
    public static Optional<String> table(String statement) {
        return named(TABLE, statement);
    }

    /** The index that a statement makes, if it does. */
    public static Optional<String> index(String statement) {
        return named(INDEX, statement);
    }

    private static Optional<String> named(Pattern pattern, String statement) {
        Matcher matcher = pattern.matcher(statement);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
