package dev.holdfast.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * JSON written as YAML blocks, so that fields are named in one place only. A text that any version of YAML could take for a
 * number, a date or a truth value is quoted.
 */
final class Yaml {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
    private static final Set<String> NOT_TEXT = Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private final StringBuilder text = new StringBuilder();
    private final JsonParser json;

    private Yaml(JsonParser json) {
        this.json = json;
    }

    /** The same value as YAML, with a line end. */
    static String ofJson(String value) {
        try (JsonParser json = new JsonFactory().createParser(value)) {
            Yaml yaml = new Yaml(json);
            json.nextToken();
            yaml.value(0, "");
            return yaml.text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it was written a moment ago
        }
    }

    /** Writes the present value; {@code gap} stands between what is before it and a value that fits on the line. */
    private void value(int depth, String gap) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            object(depth, gap);
        } else if (token == JsonToken.START_ARRAY) {
            array(depth, gap);
        } else {
            text.append(gap).append(token == JsonToken.VALUE_STRING ? scalar(json.getText()) : json.getText());
            text.append('\n');
        }
    }

    private void object(int depth, String gap) throws IOException {
        boolean first = true;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            start(first, depth, gap, false);
            first = false;
            text.append(scalar(json.currentName())).append(':');
            json.nextToken();
            value(depth + 1, " ");
        }
        if (first) {
            text.append(gap).append("{}\n");
        }
    }

    private void array(int depth, String gap) throws IOException {
        boolean first = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            start(first, depth, gap, true);
            first = false;
            text.append('-');
            value(depth + 1, " ");
        }
        if (first) {
            text.append(gap).append("[]\n");
        }
    }

    /** A list, and the first field of what is no list element, start on a line of their own. */
    private void start(boolean first, int depth, String gap, boolean list) {
        boolean inList = !text.isEmpty() && text.charAt(text.length() - 1) == '-';
        if (first && inList && !list) {
            text.append(' ');
            return;
        }
        if (first && !gap.isEmpty()) {
            text.append('\n');
        }
        text.append("  ".repeat(depth));
    }

    private static String scalar(String value) {
        if (PLAIN.matcher(value).matches() && !NOT_TEXT.contains(value.toLowerCase(java.util.Locale.ROOT))) {
            return value;
        }
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }
}
