package dev.holdfast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON value as a test looks at it. */
record Json(@Nullable Object value) {
    static Json of(String text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            return new Json(read(parser, parser.nextToken()));
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + text, e);
        }
    }

    private static @Nullable Object read(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    map.put(name, read(parser, parser.nextToken()));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    list.add(read(parser, next));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    Json get(String name) {
        Object found = map().get(name);
        if (found == null && !map().containsKey(name)) {
            throw new AssertionError("no field '" + name + "' in " + value);
        }
        return new Json(found);
    }

    boolean has(String name) {
        return map().containsKey(name);
    }

    Set<String> fields() {
        return map().keySet();
    }

    Json get(int index) {
        return new Json(((List<?>) present()).get(index));
    }

    List<Json> list() {
        List<Json> all = new ArrayList<>();
        ((List<?>) present()).forEach(item -> all.add(new Json(item)));
        return all;
    }

    String text() {
        return (String) present();
    }

    long number() {
        return ((Number) present()).longValue();
    }

    boolean truth() {
        return (Boolean) present();
    }

    boolean isNull() {
        return value == null;
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> map() {
        return (Map<String, Object>) present();
    }

    private Object present() {
        if (value == null) {
            throw new AssertionError("is null");
        }
        return value;
    }
}
