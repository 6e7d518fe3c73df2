package dev.holdfast.guard;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, numbers and booleans; a field that is null is as one that is not there. */
public final class JsonTree {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(16).build())
            .build();

    private final Map<String, Object> fields;

    private JsonTree(Map<String, Object> fields) {
        this.fields = fields;
    }

    public static byte[] write(Map<String, ?> object) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            value(json, object);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return out.toByteArray();
    }

    private static void value(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                value(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                value(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(value.toString());
        }
    }

    /** Reads an object. Throws an {@link IOException} or a {@link RuntimeException} if it is none. */
    public static JsonTree read(byte[] content) throws IOException {
        try (JsonParser json = JSON.createParser(content)) {
            json.nextToken();
            if (!(value(json) instanceof Map<?, ?> map)) {
                throw new IllegalArgumentException("it is not an object");
            }
            return of(map);
        }
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                Object value = value(json);
                if (value != null) {
                    map.put(name, value);
                }
            }
            return map;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                Object value = value(json);
                if (value != null) {
                    list.add(value);
                }
            }
            return list;
        }
        if (token == JsonToken.VALUE_NUMBER_INT) {
            return json.getLongValue();
        }
        return token == JsonToken.VALUE_NULL ? null : json.getText();
    }

    private static JsonTree of(Map<?, ?> map) {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((name, value) -> fields.put(String.valueOf(name), value));
        return new JsonTree(fields);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(fields.get(name)).map(Object::toString);
    }

    public String required(String name) {
        return text(name).orElseThrow(() -> new IllegalArgumentException("it has no '" + name + "'"));
    }

    public long number(String name) {
        return Long.parseLong(text(name).orElse("0"));
    }

    public OptionalInt integer(String name) {
        return text(name).map(text -> OptionalInt.of(Integer.parseInt(text))).orElseGet(OptionalInt::empty);
    }

    public List<String> texts(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(Object::toString).toList()
                : List.of();
    }

    /** The objects in a list. */
    public List<JsonTree> objects(String name) {
        List<JsonTree> found = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            list.forEach(item -> {
                if (item instanceof Map<?, ?> map) {
                    found.add(of(map));
                }
            });
        }
        return found;
    }

    public Optional<JsonTree> object(String name) {
        return fields.get(name) instanceof Map<?, ?> map ? Optional.of(of(map)) : Optional.empty();
    }

    /** The names of its fields. */
    public Iterable<String> names() {
        return fields.keySet();
    }
}
