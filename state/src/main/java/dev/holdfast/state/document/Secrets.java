package dev.holdfast.state.document;

import dev.holdfast.wire.json.Json;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What must not be shown: what terraform marked as sensitive, and what is named like a secret. */
final class Secrets {
    private static final Pattern WORDS = Pattern.compile(
            "passw|passphrase|pwd|secret|token|private|credential|connection_?string", Pattern.CASE_INSENSITIVE);
    /** Upper case matters here: {@code accessKey}, not {@code monkey}. */
    private static final Pattern CAMEL = Pattern.compile("[a-z]Keys?([A-Z_.-]|$)");

    private static final Pattern WORD_KEY =
            Pattern.compile("(^|[^a-z])keys?([^a-z]|$)|apikey", Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    static boolean isSecret(String name) {
        return WORDS.matcher(name).find()
                || WORD_KEY.matcher(name).find()
                || CAMEL.matcher(name).find();
    }

    /** Paths that a terraform instance or output declares sensitive, as they are named in differences. */
    static Set<String> declared(Json unit) {
        Set<String> paths = new HashSet<>();
        if (unit instanceof Json.Obj object) {
            if (object.get("sensitive").equals(Optional.of(Json.of(true)))) {
                paths.add("value");
            }
            if (object.get("sensitive_attributes").orElse(Json.nil()) instanceof Json.Arr array) {
                array.items().forEach(it -> paths.add(path(it)));
            }
        }
        return paths;
    }

    /** {@code [{"type": "get_attr", "value": "login"}, {"type": "index", "value": {"value": 0}}]} is {@code attributes.login[0]}. */
    private static String path(Json steps) {
        StringBuilder path = new StringBuilder("attributes");
        if (steps instanceof Json.Arr array) {
            for (Json step : array.items()) {
                Json value =
                        step instanceof Json.Obj object ? object.get("value").orElse(Json.nil()) : Json.nil();
                if (value instanceof Json.Obj wrapped) {
                    value = wrapped.get("value").orElse(Json.nil());
                }
                if (value instanceof Json.Text text) {
                    path.append('.').append(text.value());
                } else if (value instanceof Json.Numeral number) {
                    path.append('[').append(number.literal()).append(']');
                }
            }
        }
        return path.toString();
    }
}
