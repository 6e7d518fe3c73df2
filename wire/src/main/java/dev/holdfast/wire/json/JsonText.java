package dev.holdfast.wire.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON to text and back. */
public final class JsonText {
    /** Deepest nesting: what is deeper is an attack or a mistake. */
    private static final int MAX_DEPTH = 500;

    private static final JsonFactory FACTORY = factory();

    private JsonText() {}

    /** Parsers that are strict and bound the depth. They know places in the bytes: only those that collect names do. */
    public static JsonFactory factory() {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(Integer.MAX_VALUE) // the document's own limit counts
                        .build())
                .build();
    }

    /** Why it is not JSON, and where; without what stands there. */
    public static InvalidJsonException refused(String what, IOException why) {
        if (why instanceof StreamReadException at && at.getLocation() != null) {
            return new InvalidJsonException(what + " must be JSON; it is not, at line "
                    + at.getLocation().getLineNr() + ", column "
                    + at.getLocation().getColumnNr());
        }
        return new InvalidJsonException(
                what + " must be JSON; it is not: " + why.getClass().getSimpleName());
    }

    /** One value, all of this range. */
    public static Json read(String what, byte[] bytes, int from, int length) {
        try (JsonParser parser = FACTORY.createParser(bytes, from, length)) {
            if (parser.nextToken() == null) {
                throw new InvalidJsonException(what + " must be JSON; it is empty");
            }
            Json value = value(parser);
            if (parser.nextToken() != null) {
                throw new InvalidJsonException(what + " must be one JSON value; more follows");
            }
            return value;
        } catch (IOException e) {
            throw refused(what, e);
        }
    }

    /** The value that begins where this parser stands. */
    public static Json value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new Json.Text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Json.Numeral(parser.getText());
            case VALUE_TRUE -> new Json.Truth(true);
            case VALUE_FALSE -> new Json.Truth(false);
            default -> Json.nil();
        };
    }

    private static Json object(JsonParser parser) throws IOException {
        Map<String, Json> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return new Json.Obj(members);
    }

    private static Json array(JsonParser parser) throws IOException {
        List<Json> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return new Json.Arr(items);
    }

    static byte[] write(Json value, boolean sorted) {
        return bytes(generator -> write(value, sorted, generator));
    }

    /** Writes values without making a tree of them first. */
    @FunctionalInterface
    public interface Part {
        /** Writes one value, or the members of an object. */
        void write(JsonGenerator json) throws IOException;
    }

    /** Writes one item of a list: as a value, or as the members of an object. */
    @FunctionalInterface
    public interface Item<T> {
        void write(JsonGenerator json, T item) throws IOException;
    }

    /** A member of the object that is being written: a list of values. */
    public static <T> void values(JsonGenerator json, String name, Iterable<T> items, Item<T> value)
            throws IOException {
        json.writeFieldName(name);
        array(json, items, value);
    }

    public static <T> void array(JsonGenerator json, Iterable<T> items, Item<T> value) throws IOException {
        json.writeStartArray();
        for (T item : items) {
            value.write(json, item);
        }
        json.writeEndArray();
    }

    /** The same of objects. */
    public static <T> void objects(JsonGenerator json, String name, Iterable<T> items, Item<T> members)
            throws IOException {
        values(json, name, items, (out, item) -> {
            out.writeStartObject();
            members.write(out, item);
            out.writeEndObject();
        });
    }

    /** The bytes of an object, whose members {@code part} writes. */
    public static byte[] object(Part members) {
        return bytes(wrapped(members));
    }

    /** An object, whose members {@code part} writes. */
    public static Part wrapped(Part members) {
        return json -> {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        };
    }

    public static byte[] bytes(Part value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator generator = FACTORY.createGenerator(out)) {
            value.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can always be written to", e);
        }
        return out.toByteArray();
    }

    static void write(Json value, boolean sorted, JsonGenerator out) throws IOException {
        if (value instanceof Json.Obj object) {
            out.writeStartObject();
            for (Map.Entry<String, Json> member : inOrder(object, sorted)) {
                out.writeFieldName(member.getKey());
                write(member.getValue(), sorted, out);
            }
            out.writeEndObject();
        } else if (value instanceof Json.Arr array) {
            out.writeStartArray();
            for (Json item : array.items()) {
                write(item, sorted, out);
            }
            out.writeEndArray();
        } else if (value instanceof Json.Text text) {
            out.writeString(text.value());
        } else if (value instanceof Json.Numeral number) {
            out.writeNumber(number.literal());
        } else if (value instanceof Json.Truth truth) {
            out.writeBoolean(truth.value());
        } else {
            out.writeNull();
        }
    }

    private static Iterable<Map.Entry<String, Json>> inOrder(Json.Obj object, boolean sorted) {
        if (!sorted) {
            return object.members().entrySet();
        }
        List<Map.Entry<String, Json>> entries = new ArrayList<>(object.members().entrySet());
        entries.sort((a, b) -> compare(a.getKey(), b.getKey()));
        return entries;
    }

    /** By code point, as the bytes of UTF-8 sort. */
    public static int compare(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
