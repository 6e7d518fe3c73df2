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
 * What a record remembers, as text: {@code {"ended":"<16 hex><letter><base 36 seconds>;…","done":{…}}}, or empty.
 *
 * <p>The fingerprint of an ended lease stands in the text as 16 hexadecimal digits after {@code "} or {@code ;}, so a store
 * can test for it with a plain "contains".
 */
public final class PastJson {
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
        return hex(leaseId.fingerprint());
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

    private static String ended(List<Ended> ended) {
        StringBuilder text = new StringBuilder(ended.size() * 27);
        for (Ended lease : ended) {
            if (text.length() > 0) {
                text.append(';');
            }
            text.append(hex(lease.fingerprint())).append(lease.how().code());
            text.append(Long.toString(Times.micros(lease.at()), 36));
        }
        return text.toString();
    }

    private static List<Ended> ended(String text) {
        List<Ended> ended = new ArrayList<>();
        for (String lease : text.split(";", -1)) {
            if (lease.length() < 18) {
                throw new IllegalArgumentException("ended lease '" + lease + "' is cut short");
            }
            ended.add(new Ended(
                    Long.parseUnsignedLong(lease, 0, 16, 16),
                    LostReason.ofCode(lease.charAt(16)),
                    Times.ofMicros(Long.parseLong(lease.substring(17), 36))));
        }
        return ended;
    }

    private static String hex(long value) {
        String digits = Long.toHexString(value);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
