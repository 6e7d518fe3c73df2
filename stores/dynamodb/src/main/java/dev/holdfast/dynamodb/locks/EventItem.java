package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Events as items: partition {@code log = "events"}, sorted by {@code number}; the last number given out has an item too. */
final class EventItem {
    private static final Logger LOG = LoggerFactory.getLogger(EventItem.class);

    static final String LOG_NAME = "log";
    static final String NUMBER = "number";
    static final String LAST = "last";
    static final AttributeValue EVENTS = AttributeValue.fromS("events");

    /** The item with the last number given out. */
    static final Map<String, AttributeValue> COUNTER =
            Map.of(LOG_NAME, AttributeValue.fromS("counter"), NUMBER, LockItem.number(0));

    private EventItem() {}

    static Map<String, AttributeValue> key(long number) {
        return Map.of(LOG_NAME, EVENTS, NUMBER, LockItem.number(number));
    }

    // ---- writing

    static Map<String, AttributeValue> of(StoredEvent stored, Duration retention) {
        LockEvent event = stored.event();
        Map<String, AttributeValue> item = new HashMap<>(key(stored.number()));
        item.put("type", text(event.type().name().toLowerCase(Locale.ROOT)));
        item.put("namespace", text(event.key().namespace()));
        item.put("lockName", text(event.key().name()));
        item.put(
                "paths",
                AttributeValue.fromL(event.scope().paths().stream()
                        .map(path -> text(path.value()))
                        .toList()));
        item.put("mode", text(event.scope().mode().label()));
        item.put("limit", LockItem.number(event.scope().mode().limit()));
        item.put("lease", text(Long.toHexString(event.lease())));
        item.put("owner", text(event.owner()));
        item.put("token", LockItem.number(event.token().value()));
        item.put("at", text(event.at().toString()));
        item.put("lastedMicros", LockItem.number(Times.micros(event.lasted())));
        item.put("actor", text(event.actor()));
        item.put("reason", text(event.reason()));
        item.put("request", text(event.request()));
        Map<String, AttributeValue> metadata = new TreeMap<>();
        event.metadata().forEach((name, value) -> metadata.put(name, text(value)));
        item.put("metadata", AttributeValue.fromM(metadata));
        item.put(LockItem.EXPIRY, LockItem.number(event.at().plus(retention).getEpochSecond()));
        return item;
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    // ---- reading

    static long number(Map<String, AttributeValue> item) {
        return ItemAttributes.number(item, NUMBER);
    }

    static long last(Map<String, AttributeValue> counter) {
        return ItemAttributes.number(counter, LAST);
    }

    /** An event of a newer version, or one that somebody edited, must not hide the others. */
    static Optional<StoredEvent> readable(Map<String, AttributeValue> item) {
        try {
            return Optional.of(new StoredEvent(number(item), event(item)));
        } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
            LOG.debug("event {} cannot be read", item.get(NUMBER), e);
            return Optional.empty();
        }
    }

    private static LockEvent event(Map<String, AttributeValue> item) {
        Map<String, String> metadata = new HashMap<>();
        ItemAttributes.value(item, "metadata").m().forEach((name, value) -> metadata.put(name, value.s()));
        return new LockEvent(
                EventType.valueOf(ItemAttributes.text(item, "type").toUpperCase(Locale.ROOT)),
                new RecordKey(ItemAttributes.text(item, "namespace"), ItemAttributes.text(item, "lockName")),
                scope(item),
                Long.parseUnsignedLong(ItemAttributes.text(item, "lease"), 16),
                ItemAttributes.text(item, "owner"),
                new Token(ItemAttributes.number(item, "token")),
                Instant.parse(ItemAttributes.text(item, "at")),
                Times.ofMicrosLong(ItemAttributes.number(item, "lastedMicros")),
                ItemAttributes.text(item, "actor"),
                ItemAttributes.text(item, "reason"),
                metadata,
                ItemAttributes.text(item, "request"));
    }

    private static Scope scope(Map<String, AttributeValue> item) {
        List<LockPath> paths = ItemAttributes.value(item, "paths").l().stream()
                .map(path -> LockPath.of(path.s()))
                .toList();
        Mode.Kind kind = Mode.Kind.valueOf(ItemAttributes.text(item, "mode").toUpperCase(Locale.ROOT));
        return new Scope(
                paths,
                new Mode(
                        kind,
                        Integer.parseInt(ItemAttributes.value(item, "limit").n())));
    }
}
