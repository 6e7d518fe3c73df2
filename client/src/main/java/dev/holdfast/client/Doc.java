package dev.holdfast.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON object that came from a server, asked field by field. What is not as agreed is a failure that names the field. */
final class Doc {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_DEPTH = 16;

    private final Map<String, @Nullable Object> fields;

    private Doc(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /** Reads an object. */
    static Doc of(byte[] bytes) {
        try (JsonParser parser = JSON.createParser(bytes)) {
            return of(parser);
        } catch (IOException e) {
            throw new StoreUnusableException("the answer is no JSON object; is this a Holdfast server?", e);
        }
    }

    static Doc of(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            return of(parser);
        } catch (IOException e) {
            throw new StoreUnusableException("an event is no JSON object; is this a Holdfast server?", e);
        }
    }

    private static Doc of(JsonParser parser) throws IOException {
        parser.nextToken();
        if (value(parser, 0) instanceof Doc doc) {
            return doc;
        }
        throw new IOException("no object");
    }

    private static @Nullable Object value(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null || depth > MAX_DEPTH) {
            throw new IOException("it ends too early, or is too deep");
        }
        return switch (token) {
            case START_OBJECT -> object(parser, depth);
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser, depth + 1));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + token);
        };
    }

    private static Doc object(JsonParser parser, int depth) throws IOException {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, value(parser, depth + 1));
        }
        return new Doc(fields);
    }

    // ---- asking

    String text(String name) {
        return optionalText(name).orElseThrow(() -> missing(name));
    }

    Optional<String> optionalText(String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    long number(String name) {
        return optionalNumber(name).orElseThrow(() -> missing(name)).longValue();
    }

    Optional<Number> optionalNumber(String name) {
        return fields.get(name) instanceof Number number ? Optional.of(number) : Optional.empty();
    }

    boolean truth(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    Instant time(String name) {
        return optionalTime(name).orElseThrow(() -> missing(name));
    }

    Optional<Instant> optionalTime(String name) {
        try {
            return optionalText(name).map(Instant::parse);
        } catch (DateTimeParseException e) {
            throw new StoreUnusableException("field '" + name + "' of the answer is no time", e);
        }
    }

    Optional<Doc> optionalDoc(String name) {
        return fields.get(name) instanceof Doc doc ? Optional.of(doc) : Optional.empty();
    }

    Doc doc(String name) {
        return optionalDoc(name).orElseThrow(() -> missing(name));
    }

    /** The only one of a list. */
    Doc first(String name) {
        return docs(name).stream().findFirst().orElseThrow(() -> missing(name));
    }

    List<Doc> docs(String name) {
        List<Doc> docs = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            list.forEach(entry -> {
                if (entry instanceof Doc doc) {
                    docs.add(doc);
                }
            });
        }
        return docs;
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            list.forEach(entry -> texts.add(String.valueOf(entry)));
        }
        return texts;
    }

    Map<String, String> map(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        optionalDoc(name).ifPresent(doc -> doc.fields.forEach((key, value) -> map.put(key, String.valueOf(value))));
        return map;
    }

    private static StoreUnusableException missing(String name) {
        return new StoreUnusableException(
                "field '" + name + "' is missing in the answer; is this a Holdfast server of this version?", null);
    }
}
