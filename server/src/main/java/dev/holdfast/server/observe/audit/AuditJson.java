package dev.holdfast.server.observe.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.Rfc3339;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Lines of the audit: an event as everywhere ({@link EventJson}), and who asked for it from where. Safe for any thread. */
public final class AuditJson {
    private static final JsonFactory JSON = new JsonFactory();

    private AuditJson() {}

    public static String of(StoredEvent stored) {
        return text(json -> EventJson.write(json, stored));
    }

    /** The event as a line of the audit file, which also tells who asked for it and from where, as far as this server knows. */
    public static String line(StoredEvent stored, Optional<Caller> caller) {
        return text(json -> {
            json.writeStartObject();
            EventJson.fields(json, stored);
            text(json, "principal", caller.map(Caller::principal).orElse(""));
            text(json, "remote_addr", caller.map(Caller::address).orElse(""));
            json.writeEndObject();
        });
    }

    /** What is no event of a lock, as a line of the audit file. */
    public static String line(AuditEntry entry, Instant at) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("timestamp", Rfc3339.text(at));
            json.writeStringField("level", entry.outcome() == AuditEntry.Outcome.REFUSED ? "WARN" : "INFO");
            json.writeStringField("event", entry.action().label());
            json.writeStringField("outcome", entry.outcome().name().toLowerCase(Locale.ROOT));
            json.writeStringField("resource", entry.resource());
            json.writeObjectFieldStart("metadata");
            for (Map.Entry<String, String> detail : entry.details().entrySet()) {
                json.writeStringField(detail.getKey(), detail.getValue());
            }
            json.writeEndObject();
            text(json, "request_id", entry.caller().request());
            text(json, "principal", entry.caller().principal());
            text(json, "remote_addr", entry.caller().address());
            json.writeEndObject();
        });
    }

    // ---- how they are written

    private static void text(JsonGenerator json, String field, String value) throws IOException {
        if (value.isEmpty()) {
            json.writeNullField(field);
        } else {
            json.writeStringField(field, value);
        }
    }

    private interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private static String text(Body body) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            body.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException("An audit event could not be written as JSON", e);
        }
        return text.toString();
    }
}
