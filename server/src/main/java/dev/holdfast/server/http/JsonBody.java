package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a body strictly: UTF-8, one JSON object, no key twice, nested no deeper than allowed. Values are {@code String},
 * {@code Long}, {@link Inexact} for other numbers, {@code Boolean}, {@code List}, {@code Map}, and {@link #NULL}.
 */
public final class JsonBody {
    /** The value null, which is not the same as a missing field. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    /** A number that is not an integer of 64 bits. */
    record Inexact(String text) {}

    /** No field of ours has more digits than a 64-bit integer. */
    private static final int MAX_DIGITS = 64;

    private final JsonFactory factory;

    public JsonBody(int maxDepth, int maxBody) {
        this.factory = new JsonFactoryBuilder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxNumberLength(MAX_DIGITS)
                        .maxStringLength(maxBody)
                        .maxNameLength(4_096)
                        .build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    Map<String, Object> object(Buffer body) {
        if (body.length() == 0) {
            throw Problem.invalid("the body is empty; send a JSON object").refused();
        }
        CharBuffer text = text(body);
        try (JsonParser parser = factory.createParser(text.array(), text.arrayOffset(), text.remaining())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Problem.invalid("the body must be a JSON object").refused();
            }
            Map<String, Object> object = readObject(parser);
            if (parser.nextToken() != null) {
                throw Problem.invalid("there is more after the JSON object in the body")
                        .refused();
            }
            return object;
        } catch (JsonProcessingException e) {
            throw Problem.invalid("the body is not valid JSON: " + said(e)).refused();
        } catch (IOException e) {
            throw Problem.invalid("the body cannot be read").refused();
        }
    }

    /** Decoded here, since a parser of bytes would guess at other encodings. */
    private static CharBuffer text(Buffer body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body.getBytes()));
        } catch (CharacterCodingException e) {
            throw Problem.invalid("the body is not valid UTF-8").refused();
        }
    }

    private static String said(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        String where = e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
        return message.lines().findFirst().orElse("") + where;
    }

    private static Map<String, Object> readObject(JsonParser parser) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            object.put(name, value(parser, parser.nextToken()));
        }
        return object;
    }

    private static List<Object> readArray(JsonParser parser) throws IOException {
        List<Object> array = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(parser, token));
        }
        return array;
    }

    private static Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> readArray(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? new Inexact(parser.getText())
                        : parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> new Inexact(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> NULL;
        };
    }
}
