package dev.holdfast.documents;

import java.util.Map;
import java.util.TreeMap;

/**
 * Attributes as a text people can read, a line {@code name=value} for each in the order of names. Nothing needs an escape: names
 * have no {@code =}, values no line break.
 */
public final class AttributeText {
    private AttributeText() {}

    /** The text; empty if there are no attributes. */
    public static String of(Map<String, String> attributes) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(attributes)
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    /**
     * The attributes of a text.
     *
     * @throws IllegalArgumentException if it is not such a text
     */
    public static Map<String, String> read(String text) {
        Map<String, String> attributes = new TreeMap<>();
        text.lines().forEach(line -> {
            int end = line.indexOf('=');
            if (end < 1) {
                throw new IllegalArgumentException("'" + line + "' is not an attribute, which is written name=value");
            }
            attributes.put(line.substring(0, end), line.substring(end + 1));
        });
        return attributes;
    }
}
