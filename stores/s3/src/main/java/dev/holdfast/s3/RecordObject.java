package dev.holdfast.s3;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.Write;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * What is in a lock's object: one JSON document. {@code record} and {@code past} are what counts; owner, token and times repeat
 * the first holder for people, {@code waiting} the length of the queue.
 */
final class RecordObject {
    /** Larger than any record with all that stands beside it; what is larger is not ours. */
    static final int MAX_BYTES = 2 * LockRecord.MAX_BYTES;

    /** Says that the object is ours, and how it is laid out. */
    private static final String MARK = "holdfast";

    private static final int LAYOUT = 1;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxDocumentLength(MAX_BYTES)
                    .build())
            .build();

    private RecordObject() {}

    /** The object of a write that does not delete, with another past than its own if that is given. */
    static byte[] of(Write write, Optional<Past> kept) {
        LockRecord record = write.record().orElseThrow();
        RecordText text = write.text();
        boolean made = kept.isEmpty() && !write.samePast(); // an object is written whole, also with the same past
        String past = made ? text.past() : PastJson.write(kept.orElse(record.past()));
        ByteArrayOutputStream out = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField(MARK, LAYOUT);
            json.writeStringField("namespace", record.key().namespace());
            json.writeStringField("name", record.key().name());
            if (!record.holds().isEmpty()) {
                holder(json, record.holds().get(0));
            }
            if (!record.queue().isEmpty()) {
                json.writeNumberField("waiting", record.queue().size());
            }
            json.writeStringField("stamp", record.stamp().toString());
            json.writeNumberField("fence", record.fence().value());
            json.writeFieldName("record");
            json.writeRawValue(text.body());
            if (!past.isEmpty()) {
                json.writeFieldName("past");
                json.writeRawValue(past);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return out.toByteArray();
    }

    private static void holder(JsonGenerator json, Hold hold) throws IOException {
        json.writeStringField("owner", hold.owner());
        json.writeNumberField("fencing_token", hold.token().value());
        json.writeStringField("acquired_at", hold.grantedAt().toString());
        json.writeStringField("renewed_at", hold.renewedAt().toString());
        Instant end = hold.expiresAt();
        if (!end.equals(Times.NEVER)) {
            json.writeStringField("expires_at", end.toString());
        }
    }

    /**
     * The record in an object.
     *
     * @throws ForeignException if it is not a lock's
     * @throws dev.holdfast.spi.StoreUnusableException if it is one, and damaged
     */
    static LockRecord read(String object) throws ForeignException {
        Fields fields = new Fields();
        try (JsonParser json = JSON.createParser(object)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new ForeignException("it is not a JSON object");
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                fields.take(json.currentName(), json);
            }
        } catch (IOException | RuntimeException e) { // whatever is wrong with it, it is wrong with the object
            throw new ForeignException("it is not JSON that Holdfast wrote: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        if (fields.layout != LAYOUT) {
            throw new ForeignException(
                    fields.layout == 0
                            ? "it has no field '" + MARK + "'"
                            : "it was written by a newer Holdfast, in layout " + fields.layout);
        }
        return fields.record();
    }

    /** Not an object of ours. */
    static final class ForeignException extends Exception {
        private static final long serialVersionUID = 1;

        ForeignException(String why) {
            super(why);
        }
    }

    private static final class Fields {
        private int layout;
        private String namespace = "";
        private String name = "";
        private long stamp;
        private long fence;
        private String body = "";
        private String past = "";

        void take(String field, JsonParser json) throws IOException {
            json.nextToken();
            switch (field) {
                case MARK -> layout = json.getIntValue();
                case "namespace" -> namespace = json.getText();
                case "name" -> name = json.getText();
                case "stamp" -> stamp = Long.parseUnsignedLong(json.getText(), 16);
                case "fence" -> fence = json.getLongValue();
                case "record" -> body = raw(json);
                case "past" -> past = raw(json);
                default -> json.skipChildren(); // for people
            }
        }

        LockRecord record() throws ForeignException {
            RecordKey key;
            try {
                key = new RecordKey(namespace, name);
            } catch (IllegalArgumentException e) {
                throw new ForeignException("it names no lock: " + e.getMessage());
            }
            return RecordCodec.decode(key, new Stamp(stamp), new Token(fence), body, past);
        }

        private static String raw(JsonParser json) throws IOException {
            StringWriter out = new StringWriter();
            try (JsonGenerator copy = JSON.createGenerator(out)) {
                copy.copyCurrentStructureExact(json); // 2.50 stays 2.50
            }
            return out.toString();
        }
    }
}
