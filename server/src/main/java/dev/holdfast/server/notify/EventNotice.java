package dev.holdfast.server.notify;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.observe.logs.LogMask;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** An event of the log. */
record EventNotice(NoticeKind kind, StoredEvent stored) implements Notice {
    /** As it may leave: without what looks like a secret in what callers wrote. */
    static EventNotice of(NoticeKind kind, StoredEvent stored) {
        return new EventNotice(kind, new StoredEvent(stored.number(), discreet(stored.event())));
    }

    @Override
    public String label() {
        return kind.label();
    }

    @Override
    public RecordKey key() {
        return stored.event().key();
    }

    @Override
    public Instant at() {
        return stored.event().at();
    }

    /** The number alone is another event's in another store, or after its history was lost. */
    @Override
    public String identity() {
        return stored.number() + "\n" + at() + "\n" + stored.event().lease();
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        EventJson.fields(json, stored);
    }

    @Override
    public Notice shortened() {
        return new EventNotice(
                kind,
                new StoredEvent(
                        stored.number(), with(stored.event(), stored.event().reason(), Map.of())));
    }

    private static LockEvent discreet(LockEvent event) {
        Map<String, String> metadata = new TreeMap<>();
        event.metadata().forEach((name, value) -> metadata.put(name, LogMask.masked(name, value)));
        return with(event, LogMask.masked(event.reason()), metadata);
    }

    private static LockEvent with(LockEvent event, String reason, Map<String, String> metadata) {
        return new LockEvent(
                event.type(),
                event.key(),
                event.scope(),
                event.lease(),
                event.owner(),
                event.token(),
                event.at(),
                event.lasted(),
                event.actor(),
                reason,
                metadata,
                event.request());
    }

    @Override
    public String sentence() {
        LockEvent event = stored.event();
        String lock = "Lock " + event.key();
        String held = NoticeWords.time(event.lasted());
        return switch (kind) {
            case STALE ->
                lock + " is held by " + event.owner() + ", and has not been renewed for suspiciously long"
                        + NoticeWords.reason(event.reason());
            case FORCED ->
                lock + " was taken from " + event.owner() + " by " + event.actor() + " after " + held
                        + NoticeWords.reason(event.reason());
            case LOST -> lock + " was lost by " + event.owner() + " after " + held + NoticeWords.reason(event.reason());
            case EXPIRED ->
                lock + " expired: " + event.owner() + " held it for " + held + " and did not renew it in time"
                        + NoticeWords.reason(event.reason());
            case DECISION ->
                "Guard: " + event.metadata().getOrDefault("decision", "decided") + " for "
                        + event.metadata()
                                .getOrDefault("db_identifier", event.key().toString())
                        + NoticeWords.reason(event.reason());
            case WAITING -> lock + " is waited for"; // never: no event is told as one
        };
    }
}
