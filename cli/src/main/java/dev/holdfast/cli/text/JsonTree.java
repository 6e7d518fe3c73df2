package dev.holdfast.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, as a server or a part of this program said it: to be shown to programs as it is, and to people field by field.
 *
 * @param value text, number, truth, list, map, or null
 */
public record JsonTree(@Nullable Object value) {
    private static final JsonFactory JSON = new JsonFactory();

    public static JsonTree of(String text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            parser.nextToken();
            return new JsonTree(value(parser));
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, value(parser));
            }
            return fields;
        }
        if (token == JsonToken.START_ARRAY) {
            List<@Nullable Object> list = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(value(parser));
            }
            return list;
        }
        if (token == null) {
            throw new IOException("it ends too early");
        }
        return switch (token) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    /** A field; null if it is not there. */
    public JsonTree get(String name) {
        return new JsonTree(value instanceof Map<?, ?> map ? map.get(name) : null);
    }

    /** The names of the fields, in their order. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.keySet().forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    /** The entries of a list. */
    public List<JsonTree> list() {
        List<JsonTree> entries = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(entry -> entries.add(new JsonTree(entry)));
        }
        return entries;
    }

    public boolean isNull() {
        return value == null;
    }

    /** Its text; empty for null. */
    public String text() {
        return value == null ? "" : String.valueOf(value);
    }

    public Optional<String> optional() {
        return Optional.ofNullable(value).map(String::valueOf);
    }

    /** Writes it as one value. */
    public void write(JsonGenerator json) throws IOException {
        write(json, value);
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object entry : list) {
                write(json, entry);
            }
            json.writeEndArray();
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(String.valueOf(value));
        }
    }
}
