package dev.holdfast.server.observe.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.server.observe.Rfc3339;
import dev.holdfast.server.observe.metrics.DeployLockName;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An event as one JSON object on one line: the same in the audit file, in the history and in the stream of events; the audit file
 * also tells who asked for it and from where.
 *
 * <p>Every field is always there; what does not apply is null, and metadata without entries is {@code {}}. Safe for any thread.
 */
public final class AuditJson {
    private static final JsonFactory JSON = new JsonFactory();

    private AuditJson() {}

    public static String of(StoredEvent stored) {
        return text(json -> write(json, stored));
    }

    /** The event as a line of the audit file, which also tells who asked for it and from where, as far as this server knows. */
    public static String line(StoredEvent stored, Optional<Caller> caller) {
        return text(json -> {
            json.writeStartObject();
            fields(json, stored);
            text(json, "principal", caller.map(Caller::principal).orElse(""));
            text(json, "remote_addr", caller.map(Caller::address).orElse(""));
            json.writeEndObject();
        });
    }

    /** What is no event of a lock, as a line of the audit file. */
    public static String line(AuditEntry entry, Instant at) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("timestamp", time(at));
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

    /** Writes the event as one object. */
    public static void write(JsonGenerator json, StoredEvent stored) throws IOException {
        json.writeStartObject();
        fields(json, stored);
        json.writeEndObject();
    }

    private static void fields(JsonGenerator json, StoredEvent stored) throws IOException {
        LockEvent event = stored.event();
        String path = path(event.scope());
        json.writeStringField("timestamp", time(event.at()));
        json.writeStringField("level", isWarning(event.type()) ? "WARN" : "INFO");
        json.writeStringField("event", event.type().label());
        json.writeNumberField("event_id", stored.number());
        json.writeStringField("namespace", event.key().namespace());
        json.writeStringField("name", event.key().name());
        json.writeStringField("path", path);
        json.writeStringField("lock_key", key(event, path));
        json.writeStringField("lock_id", HexFormat.of().toHexDigits(event.lease()));
        number(json, "fencing_token", event.token().equals(Token.NONE) ? Optional.empty() : token(event.token()));
        json.writeStringField("locked_by", event.owner());
        json.writeStringField("actor", event.actor());
        text(json, "reason", event.reason());
        number(json, "waited_ms", waited(event).map(time -> BigDecimal.valueOf(time.toMillis())));
        number(json, "duration_seconds", held(event).map(AuditJson::seconds));
        json.writeObjectFieldStart("metadata");
        for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
        text(json, "request_id", event.request());
    }

    // ---- the fields

    public static String time(Instant at) {
        return Rfc3339.text(at);
    }

    private static boolean isWarning(EventType type) {
        return switch (type) {
            case EXPIRED, LOST, FORCED, STALE, STATE_REFUSED -> true;
            default -> false;
        };
    }

    /** Several parts taken together are listed with commas. */
    private static String path(Scope scope) {
        List<LockPath> paths = scope.paths();
        return paths.size() == 1
                ? paths.get(0).value()
                : paths.stream().map(LockPath::value).collect(Collectors.joining(","));
    }

    private static String key(LockEvent event, String path) {
        if (DeployLockName.isDeploy(event.key())) {
            Optional<DeployLockName> deploy = DeployLockName.of(event.key());
            if (deploy.isPresent()) {
                return deploy.get().spelling(path);
            }
        }
        return path.isEmpty() ? event.key().toString() : event.key() + "/" + path;
    }

    private static Optional<Duration> waited(LockEvent event) {
        return switch (event.type()) {
            case ACQUIRED, ABANDONED -> Optional.of(event.lasted());
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> held(LockEvent event) {
        return switch (event.type()) {
            case RELEASED, EXPIRED, LOST, FORCED -> Optional.of(event.lasted());
            default -> Optional.empty();
        };
    }

    private static Optional<BigDecimal> token(Token token) {
        return Optional.of(BigDecimal.valueOf(token.value()));
    }

    /** Whole milliseconds, without zeros at the end: 342, 0.25. */
    private static BigDecimal seconds(Duration time) {
        BigDecimal exact = BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }

    // ---- how they are written

    private static void number(JsonGenerator json, String field, Optional<BigDecimal> value) throws IOException {
        json.writeFieldName(field);
        if (value.isPresent()) {
            json.writeNumber(value.get());
        } else {
            json.writeNull();
        }
    }

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
