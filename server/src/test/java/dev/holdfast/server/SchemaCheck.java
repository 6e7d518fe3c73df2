package dev.holdfast.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Compares a value with a schema of the document: the part of JSON Schema the document uses. A keyword that is not understood
 * here is a fault, so that none is believed to be checked and is not.
 */
final class SchemaCheck {
    private static final Set<String> UNDERSTOOD = Set.of(
            "$ref",
            "type",
            "description",
            "format",
            "pattern",
            "enum",
            "default",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "maxProperties",
            "items",
            "required",
            "properties",
            "additionalProperties");

    private final Json document;
    private final List<String> faults = new ArrayList<>();

    private SchemaCheck(Json document) {
        this.document = document;
    }

    /** What does not fit; empty if all does. */
    static List<String> faults(Json document, Json schema, Json value) {
        SchemaCheck check = new SchemaCheck(document);
        check.check(schema, value, "$");
        return check.faults;
    }

    private void check(Json schema, Json value, String where) {
        if (schema.has("$ref")) {
            check(ApiDocument.resolve(document, schema), value, where);
            return;
        }
        schema.fields().stream()
                .filter(word -> !UNDERSTOOD.contains(word))
                .forEach(word -> faults.add("the schema of " + where + " says " + word + ", which nobody checks"));
        if (!hasType(schema, value)) {
            faults.add(where + " is " + value.value() + ", not "
                    + schema.get("type").value());
            return;
        }
        if (schema.has("enum") && schema.get("enum").list().stream().noneMatch(value::equals)) {
            faults.add(where + " is " + value.value() + ", none of "
                    + schema.get("enum").value());
        }
        if (value.value() instanceof String text) {
            text(schema, text, where);
        } else if (value.value() instanceof Number number) {
            bound(schema, "minimum", "maximum", number.doubleValue(), where);
        } else if (value.value() instanceof List<?>) {
            list(schema, value, where);
        } else if (value.value() instanceof Map<?, ?>) {
            object(schema, value, where);
        }
    }

    private static boolean hasType(Json schema, Json value) {
        if (!schema.has("type")) {
            return true;
        }
        Json type = schema.get("type");
        return type.value() instanceof List<?>
                ? type.list().stream().anyMatch(one -> isA(one.text(), value.value()))
                : isA(type.text(), value.value());
    }

    private static boolean isA(String type, Object value) {
        return switch (type) {
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Long;
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            case "array" -> value instanceof List<?>;
            case "object" -> value instanceof Map<?, ?>;
            case "null" -> value == null;
            default -> throw new AssertionError("no such type: " + type);
        };
    }

    private void text(Json schema, String text, String where) {
        bound(schema, "minLength", "maxLength", text.length(), where + " (its length)");
        if (schema.has("pattern")
                && !Pattern.compile(schema.get("pattern").text()).matcher(text).find()) {
            faults.add(where + " is '" + text + "', not like "
                    + schema.get("pattern").text());
        }
    }

    private void list(Json schema, Json value, String where) {
        bound(schema, "minItems", "maxItems", value.list().size(), where + " (its size)");
        if (schema.has("items")) {
            for (int i = 0; i < value.list().size(); i++) {
                check(schema.get("items"), value.get(i), where + "[" + i + "]");
            }
        }
    }

    private void object(Json schema, Json value, String where) {
        if (schema.has("required")) {
            schema.get("required").list().stream()
                    .filter(name -> !value.has(name.text()))
                    .forEach(name -> faults.add(where + " has no " + name.text()));
        }
        bound(schema, "maxProperties", "maxProperties", value.fields().size(), where + " (its fields)");
        for (String name : value.fields()) {
            if (schema.has("properties") && schema.get("properties").has(name)) {
                check(schema.get("properties").get(name), value.get(name), where + "." + name);
            } else if (schema.has("additionalProperties")) {
                Json others = schema.get("additionalProperties");
                if (others.value() instanceof Boolean) {
                    faults.add(where + "." + name + " is not documented");
                } else {
                    check(others, value.get(name), where + "." + name);
                }
            }
        }
    }

    private void bound(Json schema, String least, String most, double value, String where) {
        boolean small = !least.equals(most)
                && schema.has(least)
                && value < schema.get(least).number();
        if (small || (schema.has(most) && value > schema.get(most).number())) {
            faults.add(where + " is " + value + ", out of bounds");
        }
    }
}
