package dev.holdfast.server.config.values;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a source gives for a key, before it is checked: text, or the lists and maps of YAML. */
public sealed interface Value {
    Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    /** Plain words that some readers of YAML take for something else than text. */
    Pattern NOT_TEXT = Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");

    int line();

    /** On one line, as it could be written in a flag. */
    String written();

    /** The same inside a list or a map. */
    default String inFlow() {
        return written();
    }

    /** Text inside a list or a map of YAML: in quotes, unless nobody could take it for anything else. */
    static String flow(String text) {
        return PLAIN.matcher(text).matches() && !NOT_TEXT.matcher(text).matches() ? text : quoted(text);
    }

    /** In quotes, as JSON and YAML both read it. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            }
        });
        return quoted.append('"').toString();
    }

    /** What it is, to complete "was …". */
    String described();

    /** A scalar. All scalars are text until a {@link ValueKind} reads them. */
    record Text(String text, int line) implements Value {
        /** Text from a flag or a variable, which have no lines. */
        public static Text of(String text) {
            return new Text(text, 1);
        }

        @Override
        public String written() {
            return text;
        }

        @Override
        public String inFlow() {
            return Value.flow(text);
        }

        @Override
        public String described() {
            return ValueRefusal.quoted(text);
        }
    }

    /** A key without a value, as {@code server:} with all its lines commented out. */
    record Nothing(int line) implements Value {
        @Override
        public String written() {
            return "";
        }

        @Override
        public String described() {
            return "nothing";
        }
    }

    record Items(List<Value> items, int line) implements Value {
        @Override
        public String written() {
            return items.stream().map(Value::inFlow).collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public String described() {
            return "a list";
        }
    }

    /** A map, in the order it was written. */
    record Fields(Map<String, Value> fields, int line) implements Value {
        @Override
        public String written() {
            return fields.entrySet().stream()
                    .map(field ->
                            Value.flow(field.getKey()) + ": " + field.getValue().inFlow())
                    .collect(Collectors.joining(", ", "{", "}"));
        }

        @Override
        public String described() {
            return "a map";
        }
    }
}
