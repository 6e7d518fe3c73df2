package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads a body strictly: UTF-8, one JSON object, no key twice, nested no deeper than allowed. */
public final class JsonBody {
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

    Json.Obj object(Buffer body) {
        if (body.length() == 0) {
            throw Problem.invalid("the body is empty; send a JSON object");
        }
        CharBuffer text = text(body);
        try (JsonParser parser = factory.createParser(text.array(), text.arrayOffset(), text.remaining())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Problem.invalid("the body must be a JSON object");
            }
            Json.Obj object = (Json.Obj) JsonText.value(parser);
            if (parser.nextToken() != null) {
                throw Problem.invalid("there is more after the JSON object in the body");
            }
            return object;
        } catch (JsonProcessingException e) {
            throw Problem.invalid("the body is not valid JSON: " + said(e));
        } catch (IOException e) {
            throw Problem.invalid("the body cannot be read");
        }
    }

    /** Decoded here, since a parser of bytes would guess at other encodings. */
    private static CharBuffer text(Buffer body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body.getBytes()));
        } catch (CharacterCodingException e) {
            throw Problem.invalid("the body is not valid UTF-8");
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
}
