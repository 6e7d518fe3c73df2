package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** Writes JSON: the one place that knows how bytes, times and maps of text are spelled. */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final int SECONDS_OF_DAY = 86_400;
    /** Of the year 9999. */
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private JsonText() {}

    /** Something that writes itself. */
    @FunctionalInterface
    public interface Part {
        /** Writes exactly one value. */
        void write(JsonGenerator json) throws IOException;
    }

    /** The bytes of a value. */
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

    /** RFC 3339, UTC, milliseconds. Every lease has two, so years that have four digits take a short way. */
    public static String time(Instant time) {
        long days = Math.floorDiv(time.getEpochSecond(), SECONDS_OF_DAY);
        if (days < 0 || days > LAST_DAY) {
            return TIME.format(time);
        }
        LocalDate date = LocalDate.ofEpochDay(days);
        int second = Math.floorMod(time.getEpochSecond(), SECONDS_OF_DAY);
        char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
        digits(text, 4, date.getYear());
        digits(text, 7, date.getMonthValue());
        digits(text, 10, date.getDayOfMonth());
        digits(text, 13, second / 3_600);
        digits(text, 16, second / 60 % 60);
        digits(text, 19, second % 60);
        digits(text, 23, time.getNano() / 1_000_000);
        return new String(text);
    }

    private static void digits(char[] text, int end, int number) {
        int rest = number;
        for (int i = end - 1; rest > 0; i--) {
            text[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** A map of texts as an object. */
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
