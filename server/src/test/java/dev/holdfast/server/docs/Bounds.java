package dev.holdfast.server.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a schema allows, in a few words. */
final class Bounds {
    private Bounds() {}

    static String type(Node schema) {
        Node type = schema.get("type");
        if (schema.get("items").isThere()) {
            return "list of " + type(schema.get("items"));
        }
        return type.items().isEmpty()
                ? type.text()
                : type.items().stream().map(Node::text).collect(Collectors.joining(" or "));
    }

    static String of(Node schema) {
        List<String> words = new ArrayList<>();
        List<Node> choices = schema.get("enum").items();
        if (!choices.isEmpty()) {
            words.add(choices.stream().map(Node::text).collect(Collectors.joining(" | ")));
        }
        range(schema, "minimum", "maximum", "", words);
        range(schema, "minLength", "maxLength", " characters", words);
        range(schema, "minItems", "maxItems", " entries", words);
        Node format = schema.get("format");
        if (format.text().equals("date-time")) {
            words.add("RFC 3339");
        } else if (schema.get("pattern").isThere()) {
            words.add(schema.get("pattern").text());
        }
        if (schema.get("default").isThere()) {
            words.add("default " + schema.get("default").text());
        }
        return String.join("; ", words);
    }

    private static void range(Node schema, String least, String most, String unit, List<String> words) {
        Node min = schema.get(least);
        Node max = schema.get(most);
        if (min.isThere() && max.isThere()) {
            words.add(min.text() + " to " + max.text() + unit);
        } else if (max.isThere()) {
            words.add("at most " + max.text() + unit);
        } else if (min.isThere()) {
            words.add("at least " + min.text() + unit);
        }
    }
}
