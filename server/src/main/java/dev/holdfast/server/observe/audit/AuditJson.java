package dev.holdfast.server.observe.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Lines of the audit: an event as everywhere ({@link EventJson}), and who asked for it from where. Safe for any thread. */
public final class AuditJson {
    private AuditJson() {}

    public static String of(StoredEvent stored) {
        return line(json -> EventJson.fields(json, stored));
    }

    /** The event as a line of the audit file, which also tells who asked for it and from where, as far as this server knows. */
    public static String line(StoredEvent stored, Optional<AuditedCaller> caller) {
        return line(json -> {
            EventJson.fields(json, stored);
            text(json, "principal", caller.map(AuditedCaller::principal).orElse(""));
            text(json, "remote_addr", caller.map(AuditedCaller::address).orElse(""));
        });
    }

    public static String line(AuditEntry entry, Instant at) {
        return line(json -> {
            json.writeStringField("timestamp", Rfc3339.text(at));
            json.writeStringField("level", entry.outcome() == AuditEntry.Outcome.REFUSED ? "WARN" : "INFO");
            json.writeStringField("event", entry.event());
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
        });
    }

    // ---- how they are written

    private static void text(JsonGenerator json, String field, String value) throws IOException {
        json.writeStringField(field, value.isEmpty() ? null : value);
    }

    private static String line(JsonText.Part fields) {
        return new String(JsonText.object(fields), StandardCharsets.UTF_8);
    }
}
