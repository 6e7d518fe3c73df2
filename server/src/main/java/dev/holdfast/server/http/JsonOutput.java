package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.holdfast.wire.Rfc3339;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;

/** Writes JSON: the one place that knows how bytes, times and maps of text are spelled. */
public final class JsonOutput {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonOutput() {}

    @FunctionalInterface
    public interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    public static Buffer of(Part part) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            part.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    /** The bytes of an object, whose fields {@code part} writes. */
    public static Buffer object(Part fields) {
        return of(json -> {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        });
    }

    public static String time(Instant time) {
        return Rfc3339.text(time);
    }

    public static void texts(JsonGenerator json, String name, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    /** A member whose value is a text, a number, a boolean or a {@link Part}. */
    static void member(JsonGenerator json, String name, Object value) throws IOException {
        json.writeFieldName(name);
        if (value instanceof Part part) {
            part.write(json);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else {
            json.writeString(String.valueOf(value));
        }
    }
}
