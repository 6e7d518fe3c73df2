package dev.holdfast.spi;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.model.Done;
import dev.holdfast.model.Ended;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a record remembers, as text: {@code {"ended":"<fingerprint><letter><time>;…","done":{…}}}, or empty.
 *
 * <p>Written with every change of a busy lock, so it is short and cheap to make. A fingerprint is 11 characters of
 * base 64 (URL alphabet), which a store can test for with a plain "contains"; the letter says how the lease ended; the time of
 * the newest is in microseconds since 1970, of the others in microseconds before the newest, in base 36. Newest first.
 */
public final class PastJson {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    /** 64 bits in digits of 6. */
    private static final int DIGITS = 11;
    /** Characters of one ended lease at most: separator, fingerprint, code, sign and 13 digits of a time. */
    private static final int LONGEST = 1 + DIGITS + 1 + 14;

    private PastJson() {}

    /** The stored text; empty for a record without past. */
    public static String write(Past past) {
        if (past.ended().isEmpty() && past.done().isEmpty()) {
            return "";
        }
        StringWriter out = new StringWriter(64);
        try (JsonGenerator json = RecordCodec.JSON.createGenerator(out)) {
            json.writeStartObject();
            if (!past.ended().isEmpty()) {
                json.writeStringField("ended", ended(past.ended()));
            }
            if (past.done().isPresent()) {
                Done done = past.done().get();
                json.writeObjectFieldStart("done");
                json.writeStringField("generation", done.generation());
                json.writeStringField("by", done.by());
                json.writeNumberField("token", done.token().value());
                json.writeNumberField("at", Times.micros(done.at()));
                json.writeEndObject();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to a string failed", e);
        }
        return out.toString();
    }

    /** The text that {@link #write} puts in for this lease once it has ended. */
    public static String mark(LeaseId leaseId) {
        char[] text = new char[DIGITS];
        fingerprint(leaseId.fingerprint(), text, 0);
        return new String(text);
    }

    /** The past of this text. */
    public static Past read(String text) throws IOException {
        if (text.isEmpty()) {
            return Past.NONE;
        }
        List<Ended> ended = List.of();
        Optional<Done> done = Optional.empty();
        try (JsonParser json = RecordCodec.JSON.createParser(text)) {
            RecordCodec.expect(json, json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "ended" -> ended = ended(json.getText());
                    case "done" -> done = Optional.of(done(json));
                    default -> json.skipChildren();
                }
            }
        }
        return new Past(ended, done);
    }

    /** Metadata as a JSON object, for stores with a column for it. */
    public static String metadata(Map<String, String> metadata) {
        StringWriter out = new StringWriter(64);
        try (JsonGenerator json = RecordCodec.JSON.createGenerator(out)) {
            HoldJson.metadata(json, metadata);
        } catch (IOException e) {
            throw new IllegalStateException("writing to a string failed", e);
        }
        return out.toString();
    }

    /** The metadata of a JSON object. */
    public static Map<String, String> metadata(String text) throws IOException {
        try (JsonParser json = RecordCodec.JSON.createParser(text)) {
            json.nextToken();
            return HoldJson.readMetadata(json);
        }
    }

    private static Done done(JsonParser json) throws IOException {
        String generation = "";
        String by = "";
        long token = 0;
        Instant at = Instant.EPOCH;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "generation" -> generation = json.getText();
                case "by" -> by = json.getText();
                case "token" -> token = json.getLongValue();
                case "at" -> at = Times.ofMicros(json.getLongValue());
                default -> json.skipChildren();
            }
        }
        return new Done(generation, by, new Token(token), at);
    }

    /** Written for every release, so it does not go through a builder. */
    private static String ended(List<Ended> ended) {
        char[] text = new char[ended.size() * LONGEST];
        int size = 0;
        long newest = Times.micros(ended.get(ended.size() - 1).at());
        for (int i = ended.size() - 1; i >= 0; i--) {
            Ended lease = ended.get(i);
            if (size > 0) {
                text[size++] = ';';
            }
            size = fingerprint(lease.fingerprint(), text, size);
            text[size++] = lease.how().code();
            long at = Times.micros(lease.at());
            size = base36(i == ended.size() - 1 ? at : newest - at, text, size);
        }
        return new String(text, 0, size);
    }

    private static int fingerprint(long bits, char[] into, int start) {
        int at = start;
        for (int shift = 60; shift >= 0; shift -= 6) {
            into[at++] = ALPHABET.charAt((int) (bits >>> shift) & 63);
        }
        return at;
    }

    private static int base36(long value, char[] into, int start) {
        int at = start;
        if (value < 0) {
            into[at++] = '-';
        }
        int digits = 1;
        for (long rest = Math.abs(value) / 36; rest > 0; rest /= 36) {
            digits++;
        }
        long rest = Math.abs(value);
        for (int i = at + digits - 1; i >= at; i--) {
            into[i] = Character.forDigit((int) (rest % 36), 36);
            rest /= 36;
        }
        return at + digits;
    }

    private static List<Ended> ended(String text) {
        List<Ended> ended = new ArrayList<>();
        long newest = 0;
        for (String lease : text.split(";", -1)) {
            if (lease.length() < DIGITS + 2) {
                throw new IllegalArgumentException("ended lease '" + lease + "' is cut short");
            }
            long time = Long.parseLong(lease, DIGITS + 1, lease.length(), 36);
            newest = ended.isEmpty() ? time : newest;
            long at = ended.isEmpty() ? time : newest - time;
            ended.add(0, new Ended(fingerprint(lease), LostReason.ofCode(lease.charAt(DIGITS)), Times.ofMicros(at)));
        }
        return ended;
    }

    private static long fingerprint(String lease) {
        long bits = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = ALPHABET.indexOf(lease.charAt(i));
            if (digit < 0) {
                throw new IllegalArgumentException("ended lease '" + lease + "' has no fingerprint");
            }
            bits = bits << 6 | digit;
        }
        return bits;
    }
}
