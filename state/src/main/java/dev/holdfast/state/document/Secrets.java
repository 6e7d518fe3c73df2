package dev.holdfast.state.document;

import dev.holdfast.spi.StoreUrls;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What must not be shown: what terraform marked as sensitive, what is named like a secret, and texts that plainly hold one: a private
 * key, an address with a password, a name like a secret's with its value, a document inside the document with such a member.
 */
final class Secrets {
    private static final Pattern WORDS = Pattern.compile(
            "passw|passphrase|pwd|secret|token|private|credential|connection_?string", Pattern.CASE_INSENSITIVE);
    /** Upper case matters here: {@code accessKey}, not {@code monkey}. */
    private static final Pattern CAMEL = Pattern.compile("[a-z]Keys?([A-Z_.-]|$)");

    private static final Pattern WORD_KEY =
            Pattern.compile("(^|[^a-z])keys?([^a-z]|$)|apikey", Pattern.CASE_INSENSITIVE);

    private static final Pattern PRIVATE_KEY = Pattern.compile("-----BEGIN [A-Z ]{0,40}PRIVATE KEY");
    /**
     * As in the environment of a container, the parameters of an address, and files of settings. A name is tried from its start only, and
     * nothing is tried twice: a text of a megabyte without a space is looked at once, not once per letter.
     */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?<![\\w.-])([\\w.-]++)[\"']?+\\s*+(?:=|:\\s)\\s*+(?=\\S)");
    /** What is a pair of a name and a value, as in the variables of a container. */
    private static final List<String> NAMES = List.of("name", "Name", "key", "Key");

    private Secrets() {}

    static boolean isSecret(String name) {
        return WORDS.matcher(name).find()
                || WORD_KEY.matcher(name).find()
                || CAMEL.matcher(name).find();
    }

    /** Whether this is a pair whose value belongs to a name like a secret's: {@code {"name": "DB_PASSWORD", "value": …}}. */
    static boolean namesSecret(Json.Obj pair) {
        return NAMES.stream().flatMap(name -> pair.text(name).stream()).anyMatch(Secrets::isSecret);
    }

    /** Whether a value holds a secret, whatever it is called. */
    static boolean holdsSecret(Json value) {
        if (!(value instanceof Json.Text text)) {
            return false;
        }
        String it = text.value().strip();
        return PRIVATE_KEY.matcher(it).find()
                || !StoreUrls.maskedIn(it).equals(it)
                || ASSIGNED.matcher(it).results().anyMatch(found -> isSecret(found.group(1)))
                || ((it.startsWith("{") || it.startsWith("[")) && documentHoldsSecret(it));
    }

    /** A document as a text, judged as if it stood there itself; one that cannot be read, by the words in it. */
    private static boolean documentHoldsSecret(String document) {
        try {
            return anySecret(Json.parse(document.getBytes(StandardCharsets.UTF_8)));
        } catch (InvalidJsonException e) {
            return isSecret(document);
        }
    }

    private static boolean anySecret(Json value) {
        if (value instanceof Json.Arr array) {
            return array.items().stream().anyMatch(Secrets::anySecret);
        }
        if (value instanceof Json.Obj object) {
            return namesSecret(object)
                    || object.members().entrySet().stream()
                            .anyMatch(member -> isSecret(member.getKey()) || anySecret(member.getValue()));
        }
        return holdsSecret(value);
    }

    /** Paths that a terraform instance or output declares sensitive, as they are named in differences. */
    static Set<String> declared(Json unit) {
        Set<String> paths = new HashSet<>();
        if (unit.at("sensitive").isTrue()) {
            paths.add("value");
        }
        unit.at("sensitive_attributes").items().forEach(it -> paths.add(path(it)));
        return paths;
    }

    /** {@code [{"type": "get_attr", "value": "login"}, {"type": "index", "value": {"value": 0}}]} is {@code attributes.login[0]}. */
    private static String path(Json steps) {
        StringBuilder path = new StringBuilder("attributes");
        for (Json step : steps.items()) {
            Json value = step.at("value");
            if (value instanceof Json.Obj wrapped) {
                value = wrapped.at("value");
            }
            if (value instanceof Json.Text text) {
                path.append('.').append(text.value());
            } else if (value instanceof Json.Numeral number) {
                path.append('[').append(number.literal()).append(']');
            }
        }
        return path.toString();
    }
}
