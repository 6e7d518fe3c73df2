package dev.holdfast.spi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stored form of a record: one JSON document of holders and waiters. Key, stamp, fence and the past stand beside it in
 * columns or attributes of their own, where stores compare them and people read them.
 *
 * <pre>{"format":1,"holds":[{"lease_id":"…","owner":"web-3","mode":"exclusive","token":17…,"granted_at":17…,…}],
 *  "queue":[…],"alive":{"engine":17…}}</pre>
 *
 * <p>Times are microseconds since 1970. A field this version does not know is kept as it came; a document of a newer
 * {@code format} is read as far as it is understood.
 */
public final class RecordCodec {
    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxDocumentLength(16L * LockRecord.MAX_BYTES)
                    .build())
            .build();

    private RecordCodec() {}

    /** The document of holders and waiters. */
    public static String body(LockRecord record) {
        HoldJson.Out json = new HoldJson.Out(512);
        json.open('{').name("format").number(record.format());
        if (!record.holds().isEmpty()) {
            json.name("holds").open('[');
            for (Hold hold : record.holds()) {
                HoldJson.write(json, hold);
            }
            json.close(']');
        }
        if (!record.queue().isEmpty()) {
            json.name("queue").open('[');
            for (Waiter waiter : record.queue()) {
                HoldJson.write(json, waiter);
            }
            json.close(']');
        }
        if (!record.alive().isEmpty()) {
            json.name("alive").open('{');
            for (Map.Entry<EngineId, Instant> engine : record.alive().entrySet()) {
                json.name(engine.getKey().value()).number(Times.micros(engine.getValue()));
            }
            json.close('}');
        }
        if (!record.extras().isEmpty()) {
            for (Map.Entry<String, String> extra : new TreeMap<>(record.extras()).entrySet()) {
                json.anyName(extra.getKey()).raw(extra.getValue());
            }
        }
        return json.close('}').text();
    }

    /**
     * The record of these columns.
     *
     * @throws StoreUnusableException if the document is not one of ours, naming the record
     */
    public static LockRecord decode(RecordKey key, Stamp stamp, Token fence, String body, String past) {
        try (JsonParser json = JSON.createParser(body)) {
            return read(key, stamp, fence, json, past);
        } catch (IOException | RuntimeException e) { // whatever is wrong with it, it is wrong with the document
            throw new StoreUnusableException(
                    "The stored record of lock '" + key.name() + "' in '" + key.namespace()
                            + "' cannot be read (" + firstLine(e)
                            + "). It was not touched; restore it from a backup, or delete it"
                            + " when nobody can be holding the lock.",
                    e);
        }
    }

    private static LockRecord read(RecordKey key, Stamp stamp, Token fence, JsonParser json, String past)
            throws IOException {
        int format = 0;
        List<Hold> holds = new ArrayList<>(1);
        List<Waiter> queue = new ArrayList<>(0);
        Map<EngineId, Instant> alive = new HashMap<>(0);
        Map<String, String> extras = new LinkedHashMap<>(0);
        expect(json, json.nextToken(), JsonToken.START_OBJECT);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "format" -> format = json.getIntValue();
                case "holds" -> {
                    expect(json, json.currentToken(), JsonToken.START_ARRAY);
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        holds.add(HoldJson.readHold(json));
                    }
                }
                case "queue" -> {
                    expect(json, json.currentToken(), JsonToken.START_ARRAY);
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        queue.add(HoldJson.readWaiter(json));
                    }
                }
                case "alive" -> {
                    expect(json, json.currentToken(), JsonToken.START_OBJECT);
                    while (json.nextToken() != JsonToken.END_OBJECT) {
                        EngineId engine = new EngineId(json.currentName());
                        json.nextToken();
                        alive.put(engine, Times.ofMicros(json.getLongValue()));
                    }
                }
                default -> extras.put(field, raw(json));
            }
        }
        if (format < 1) {
            throw new IllegalArgumentException("it names no format");
        }
        return new LockRecord(format, key, stamp, fence, holds, queue, alive, PastJson.read(past), extras);
    }

    private static String raw(JsonParser json) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator copy = JSON.createGenerator(out)) {
            copy.copyCurrentStructureExact(json); // 2.50 stays 2.50
        }
        return out.toString();
    }

    static void expect(JsonParser json, JsonToken actual, JsonToken expected) {
        if (actual != expected) {
            throw new IllegalArgumentException("expected " + expected + ", found " + actual + " at "
                    + json.currentLocation().offsetDescription());
        }
    }

    static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
