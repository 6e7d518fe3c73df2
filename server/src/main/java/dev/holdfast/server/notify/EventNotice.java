package dev.holdfast.server.notify;

import dev.holdfast.model.LockEvent;
import dev.holdfast.server.observe.logs.LogMask;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import java.util.Map;
import java.util.TreeMap;

/** An event of the log, as it may leave: without what looks like a secret in what callers wrote. */
final class EventNotice {
    private EventNotice() {}

    static Notice of(NoticeKind kind, StoredEvent stored) {
        Map<String, String> metadata = new TreeMap<>();
        stored.event().metadata().forEach((name, value) -> metadata.put(name, LogMask.masked(name, value)));
        StoredEvent discreet = discreet(stored, metadata);
        LockEvent event = discreet.event();
        return new Notice(
                kind.label(),
                event.key(),
                event.at(),
                // The number alone is another event's in another store, or after its history was lost.
                stored.number() + "\n" + event.at() + "\n" + event.lease(),
                sentence(kind, event),
                json -> EventJson.fields(json, discreet),
                json -> EventJson.fields(json, discreet(stored, Map.of())));
    }

    private static StoredEvent discreet(StoredEvent stored, Map<String, String> metadata) {
        LockEvent event = stored.event();
        return new StoredEvent(
                stored.number(),
                new LockEvent(
                        event.type(),
                        event.key(),
                        event.scope(),
                        event.lease(),
                        event.owner(),
                        event.token(),
                        event.at(),
                        event.lasted(),
                        event.actor(),
                        LogMask.masked(event.reason()),
                        metadata,
                        event.request()));
    }

    private static String sentence(NoticeKind kind, LockEvent event) {
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
