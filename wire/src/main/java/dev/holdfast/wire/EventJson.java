package dev.holdfast.wire;

import static dev.holdfast.wire.AnswerFields.text;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An event: the same in the history, in the stream of events, in the audit file and on the command line.
 *
 * <p>Every field is always there; what does not apply is null, and metadata without entries is {@code {}}.
 */
public final class EventJson {
    /** What a wait is called that has become long. */
    public static final String WAITING = "lock.waiting";
    /** What a message is called that only tries whether it arrives. */
    public static final String TEST = "webhook.test";

    /** Locks of deployments are called as their own documents spell them: a part is told within the name. */
    private static final Pattern STACK = Pattern.compile("stack:.+?:env:.+", Pattern.DOTALL);

    private EventJson() {}

    public static void write(JsonGenerator json, StoredEvent stored) throws IOException {
        json.writeStartObject();
        fields(json, stored);
        json.writeEndObject();
    }

    /** Writes its fields, where the audit has more to tell. */
    public static void fields(JsonGenerator json, StoredEvent stored) throws IOException {
        EventType type = stored.event().type();
        head(json, stored.event(), isWarning(type) ? "WARN" : "INFO", type.label(), Optional.of(stored.number()));
        rest(json, stored.event(), waited(stored.event()));
    }

    /**
     * Writes the fields of a wait that has become long. It is told like an event, though none is stored: it has no number.
     *
     * @param wait who waits for what; its {@code lasted} is how long already
     */
    public static void waiting(JsonGenerator json, LockEvent wait) throws IOException {
        head(json, wait, "WARN", WAITING, Optional.empty());
        rest(json, wait, Optional.of(wait.lasted()));
    }

    /**
     * Writes the fields of a message that only tries whether it arrives. It is told like an event, though nothing has happened.
     *
     * @param trial who tries it, and when
     */
    public static void test(JsonGenerator json, LockEvent trial) throws IOException {
        head(json, trial, "INFO", TEST, Optional.empty());
        rest(json, trial, Optional.empty());
    }

    private static void head(JsonGenerator json, LockEvent event, String level, String label, Optional<Long> number)
            throws IOException {
        json.writeStringField("timestamp", Rfc3339.text(event.at()));
        json.writeStringField("level", level);
        json.writeStringField("event", label);
        number(json, "event_id", number.map(BigDecimal::valueOf));
    }

    private static void rest(JsonGenerator json, LockEvent event, Optional<Duration> waited) throws IOException {
        String path = path(event.scope());
        LockJson.key(json, event.key());
        json.writeStringField("path", path);
        if (path.indexOf(',') >= 0) { // several parts, or a comma in the name of one: the text alone does not say which
            JsonText.values(json, "paths", event.scope().paths(), (out, part) -> out.writeString(part.value()));
        }
        json.writeStringField("lock_key", key(event.key(), path));
        json.writeStringField("lock_id", HexFormat.of().toHexDigits(event.lease()));
        Optional<Token> token = Optional.of(event.token()).filter(it -> !it.equals(Token.NONE));
        number(json, "fencing_token", token.map(it -> BigDecimal.valueOf(it.value())));
        json.writeStringField("owner", event.owner());
        json.writeStringField("locked_by", event.owner()); // the name that audit logs had first
        json.writeStringField("actor", event.actor());
        json.writeStringField("reason", orNull(event.reason()));
        number(json, "waited_ms", waited.map(time -> BigDecimal.valueOf(time.toMillis())));
        number(json, "held_ms", held(event).map(time -> BigDecimal.valueOf(time.toMillis())));
        number(json, "duration_seconds", held(event).map(EventJson::seconds));
        LockJson.texts(json, "metadata", event.metadata());
        json.writeStringField("request_id", orNull(event.request()));
    }

    /** Reads {@link #write}. It does not tell how the lock was shared. Empty for what is not known here. */
    public static Optional<StoredEvent> read(Json.Obj from) {
        String label = text(from, "event");
        return Stream.of(EventType.values())
                .filter(type -> type.label().equals(label))
                .findFirst()
                .map(type -> new StoredEvent(AnswerFields.number(from, "event_id"), event(from, type)));
    }

    private static LockEvent event(Json.Obj from, EventType type) {
        Duration lasted = from.number("waited_ms")
                .map(Duration::ofMillis)
                .or(() -> from.decimal("duration_seconds")
                        .map(held -> Duration.ofMillis(Math.round(held.doubleValue() * 1_000))))
                .orElse(Duration.ZERO);
        return new LockEvent(
                type,
                LockJson.key(from),
                scope(from),
                Long.parseUnsignedLong(text(from, "lock_id"), 16),
                text(from, "locked_by"),
                from.number("fencing_token").map(Token::new).orElse(Token.NONE),
                AnswerFields.time(from, "timestamp"),
                lasted,
                text(from, "actor"),
                from.text("reason").orElse(""),
                from.textsByName("metadata"),
                from.text("request_id").orElse(""));
    }

    private static Scope scope(Json.Obj from) {
        List<String> paths = from.texts("paths");
        if (!paths.isEmpty()) {
            return scope(paths);
        }
        String path = text(from, "path");
        try {
            return scope(List.of(path.split(",", -1))); // as servers told it that send no list
        } catch (IllegalArgumentException e) {
            return scope(List.of(path)); // the comma belongs to a name
        }
    }

    private static Scope scope(List<String> paths) {
        return new Scope(paths.stream().map(LockPath::of).toList(), Mode.EXCLUSIVE);
    }

    // ---- the fields

    static boolean isWarning(EventType type) {
        return switch (type) {
            case EXPIRED, LOST, FORCED, STALE, STATE_REFUSED -> true;
            default -> false;
        };
    }

    /** Several parts taken together are listed with commas. */
    static String path(Scope scope) {
        return scope.paths().size() == 1
                ? scope.paths().get(0).value()
                : scope.paths().stream().map(LockPath::value).collect(Collectors.joining(","));
    }

    static String key(RecordKey key, String path) {
        boolean stack =
                key.namespace().equals("deploy") && STACK.matcher(key.name()).matches();
        if (path.isEmpty()) {
            return stack ? key.name() : key.toString();
        }
        return stack ? key.name() + (path.indexOf('/') < 0 ? ":service:" : ":component:") + path : key + "/" + path;
    }

    static Optional<Duration> waited(LockEvent event) {
        return switch (event.type()) {
            case ACQUIRED, ABANDONED -> Optional.of(event.lasted());
            default -> Optional.empty();
        };
    }

    static Optional<Duration> held(LockEvent event) {
        return switch (event.type()) {
            case RELEASED, EXPIRED, LOST, FORCED -> Optional.of(event.lasted());
            default -> Optional.empty();
        };
    }

    /** Whole milliseconds, without zeros at the end: 342, 0.25. */
    private static BigDecimal seconds(Duration time) {
        BigDecimal exact = BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }

    private static void number(JsonGenerator json, String field, Optional<BigDecimal> value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(value.orElse(null));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
