package dev.holdfast.state.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a document says about itself at its top level, read in one pass without keeping the rest: a document of any size costs no
 * more memory than its own bytes.
 *
 * @param serial the whole number {@code serial}, from 0 to 2^53, as terraform writes it
 * @param lineage the text {@code lineage}
 * @param format the text {@code format_version}
 * @param places where the values of the top-level members are in the bytes
 */
public record DocumentScan(
        Optional<Long> serial, Optional<String> lineage, Optional<String> format, Map<String, Place> places) {
    /** What JSON numbers keep exactly everywhere. */
    static final long MAX_SERIAL = 1L << 53;

    private static final JsonFactory JSON = JsonText.factory();
    /** Members worth remembering; others may be many. */
    private static final Set<String> KNOWN =
            Set.of("serial", "lineage", "format_version", "resources", "outputs", "checksums");

    /** What may stand between a value and the next name, or the end of its object. */
    private static final String BETWEEN = ", \t\r\n";

    /** A value in the bytes: from its first byte to behind its last one. */
    public record Place(int start, int end) {
        /** Goes behind the value the parser is at, and tells where it is. The parser counts from {@code base}. */
        static Place passed(JsonParser at, int base) throws IOException {
            int start = base + Math.toIntExact(at.currentTokenLocation().getByteOffset());
            JsonToken value = at.currentToken();
            if (value.isScalarValue() && value != JsonToken.VALUE_STRING) {
                return new Place(start, start + at.getTextLength());
            }
            at.skipChildren();
            at.finishToken();
            return new Place(start, base + Math.toIntExact(at.currentLocation().getByteOffset()));
        }
    }

    /** Reads all of it; refuses what is not one JSON value in UTF-8. */
    public static DocumentScan of(byte[] bytes) {
        refuseWide(bytes);
        try (JsonParser parser = JSON.createParser(bytes)) {
            Reading reading = new Reading(parser, bytes);
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new StateInvalidException("State must be JSON; it is empty");
            }
            if (first == JsonToken.START_OBJECT) {
                reading.members();
            } else {
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw new StateInvalidException("State must be one JSON value; more follows at byte "
                        + parser.currentTokenLocation().getByteOffset());
            }
            return new DocumentScan(reading.serial, reading.lineage, reading.format, reading.places);
        } catch (IOException e) {
            throw StateText.refused(e);
        }
    }

    /** The same; empty for what is not one JSON value. */
    public static Optional<DocumentScan> attempt(byte[] bytes) {
        try {
            return Optional.of(of(bytes));
        } catch (StateInvalidException e) {
            return Optional.empty();
        }
    }

    /** UTF-16 and UTF-32 would be read, but places in them are not places in the bytes. */
    private static void refuseWide(byte[] bytes) {
        for (int i = 0; i < Math.min(4, bytes.length); i++) {
            if (bytes[i] == 0 || bytes[i] == (byte) 0xfe || bytes[i] == (byte) 0xff) {
                throw new StateInvalidException("State must be JSON in UTF-8; byte " + i + " is not UTF-8");
            }
        }
    }

    private static final class Reading {
        private final JsonParser parser;
        private final byte[] bytes;
        private final Map<String, Place> places = new TreeMap<>();
        private Optional<Long> serial = Optional.empty();
        private Optional<String> lineage = Optional.empty();
        private Optional<String> format = Optional.empty();

        Reading(JsonParser parser, byte[] bytes) {
            this.parser = parser;
            this.bytes = bytes;
        }

        /** A member named twice counts as the last, as most readers have it. */
        void members() throws IOException {
            JsonToken next = parser.nextToken();
            while (next != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!KNOWN.contains(name)) {
                    parser.skipChildren();
                    next = parser.nextToken();
                    continue;
                }
                switch (name) {
                    case "serial" -> serial = whole(value);
                    case "lineage" -> lineage = text(value);
                    case "format_version" -> format = text(value);
                    default -> {}
                }
                int start = at();
                parser.skipChildren();
                next = parser.nextToken(); // passes over a text without making characters of it
                places.put(name, new Place(start, behindValue(at())));
            }
        }

        /** Where the token begins that was read last. */
        private int at() {
            return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        }

        /** Between a value and what comes next in the object are a comma and white space only. */
        private int behindValue(int next) {
            int end = next;
            while (end > 0 && BETWEEN.indexOf(bytes[end - 1]) >= 0) {
                end--;
            }
            return end;
        }

        private Optional<Long> whole(JsonToken value) throws IOException {
            if (value != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                return Optional.empty();
            }
            return Optional.of(parser.getLongValue()).filter(it -> it >= 0 && it <= MAX_SERIAL);
        }

        private Optional<String> text(JsonToken value) throws IOException {
            return value == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
        }
    }

    /** The bytes with another serial, everything else as it was; the bytes themselves if they have none. */
    public byte[] withSerial(byte[] bytes, long next) {
        Place place = places.get("serial");
        if (serial.isEmpty() || place == null) {
            return bytes;
        }
        byte[] number = Long.toString(next).getBytes(StandardCharsets.US_ASCII);
        int rest = bytes.length - place.end();
        return ByteBuffer.allocate(place.start() + number.length + rest)
                .put(bytes, 0, place.start())
                .put(number)
                .put(bytes, place.end(), rest)
                .array();
    }
}
