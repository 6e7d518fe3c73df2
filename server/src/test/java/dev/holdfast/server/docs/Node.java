package dev.holdfast.server.docs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of our own document. What is not there is an empty node, so that one can ask on. */
final class Node {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Node MISSING = new Node("", Map.of(), List.of(), false);

    private final String text;
    private final Map<String, Node> fields;
    private final List<Node> items;
    private final boolean quoted;

    private Node(String text, Map<String, Node> fields, List<Node> items, boolean quoted) {
        this.text = text;
        this.fields = fields;
        this.items = items;
        this.quoted = quoted;
    }

    static Node parse(String json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            return read(parser, parser.nextToken());
        } catch (IOException e) {
            throw new UncheckedIOException("the document of the server is not JSON", e);
        }
    }

    private static Node read(JsonParser parser, JsonToken token) throws IOException {
        Map<String, Node> fields = new LinkedHashMap<>();
        List<Node> items = new ArrayList<>();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                fields.put(name, read(parser, parser.nextToken()));
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                items.add(read(parser, next));
            }
        }
        String text = token.isScalarValue() ? parser.getText() : token == JsonToken.START_ARRAY ? "[]" : "{}";
        return new Node(text, fields, items, token == JsonToken.VALUE_STRING);
    }

    boolean isThere() {
        return this != MISSING;
    }

    Node get(String... path) {
        Node node = this;
        for (String name : path) {
            node = node.fields.getOrDefault(name, MISSING);
        }
        return node;
    }

    /** What this stands for: itself, or what it refers to in {@code document}. */
    Node in(Node document) {
        String reference = get("$ref").text;
        return reference.isEmpty() ? this : document.get(reference.substring(2).split("/"));
    }

    /** The last part of what it refers to; empty if it does not. */
    String referred() {
        String reference = get("$ref").text;
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    Map<String, Node> fields() {
        return fields;
    }

    List<Node> items() {
        return items;
    }

    String text() {
        return text;
    }

    /** As JSON on one line. */
    String compact() {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return out.toString();
    }

    /** As JSON for people; a text as it is. */
    String shown() {
        if (quoted) {
            return text;
        }
        StringWriter out = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return out.toString();
    }

    private void write(JsonGenerator json) throws IOException {
        if (quoted) {
            json.writeString(text);
        } else if (text.equals("{}")) {
            json.writeStartObject();
            for (Map.Entry<String, Node> field : fields.entrySet()) {
                json.writeFieldName(field.getKey());
                field.getValue().write(json);
            }
            json.writeEndObject();
        } else if (text.equals("[]")) {
            json.writeStartArray();
            for (Node item : items) {
                item.write(json);
            }
            json.writeEndArray();
        } else {
            json.writeRawValue(text);
        }
    }
}
