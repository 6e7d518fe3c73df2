package dev.holdfast.guard.actuator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A JSON value someone else wrote, looked at by path: what is not there, or is something else, is empty. */
public record Json(@Nullable Object value) {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    /** The value, or nothing at all if the text is no JSON. */
    public static Json of(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            Json all = new Json(first == null ? null : read(parser, first));
            return parser.nextToken() == null ? all : new Json(null);
        } catch (IOException e) {
            return new Json(null);
        }
    }

    public static JsonFactory factory() {
        return FACTORY;
    }

    public Json at(String... path) {
        Object here = value;
        for (String step : path) {
            here = here instanceof Map<?, ?> map ? map.get(step) : null;
        }
        return new Json(here);
    }

    public boolean isObject() {
        return value instanceof Map;
    }

    public Optional<String> text() {
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    public OptionalLong number() {
        return value instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** All elements as texts, if it is a list of nothing else. */
    public Optional<List<String>> texts() {
        if (!(value instanceof List<?> list)) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (Object element : list) {
            if (!(element instanceof String text)) {
                return Optional.empty();
            }
            texts.add(text);
        }
        return Optional.of(texts);
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
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER ? null : (Object) parser.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }
}
