package dev.holdfast.client;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.engine.Request;
import dev.holdfast.model.Done;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a server tells, as the values of this library. The one place that knows the names of the fields that come. */
final class Seen {
    private Seen() {}

    /** The hold that was granted to this request; what the server does not tell of it is as it was asked for. */
    static Hold hold(Request asked, Doc lease, Instant confirmed) {
        return new Hold(
                asked.leaseId(),
                asked.scope(),
                asked.owner(),
                new Token(lease.number("fencing_token")),
                lease.time("granted_at"),
                confirmed,
                lease.time("expires_at"),
                asked.terms().withLease(Duration.ofMillis(lease.number("lease_ms"))),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    static List<Holder> holders(Doc from, RecordKey key) {
        return from.docs("holders").stream().map(doc -> holder(doc, key)).toList();
    }

    static Holder holder(Doc doc, RecordKey key) {
        List<LockPath> paths = paths(doc);
        return new Holder(
                new LockKey(key, paths.get(0)),
                paths,
                mode(doc),
                doc.text("owner"),
                new Token(doc.number("fencing_token")),
                doc.time("granted_at"),
                doc.time("renewed_at"),
                doc.optionalTime("expires_at"),
                doc.truth("stale"),
                doc.map("metadata"),
                doc.optionalText("reason").orElse(""));
    }

    static LockView lock(Doc doc) {
        RecordKey key = new RecordKey(doc.text("namespace"), doc.text("name"));
        List<LockView.Waiting> waiters = new ArrayList<>();
        for (Doc waiter : doc.docs("waiters")) {
            waiters.add(new LockView.Waiting(
                    (int) waiter.number("position"),
                    waiter.text("owner"),
                    waiter.time("since"),
                    mode(waiter),
                    paths(waiter)));
        }
        return new LockView(
                key,
                holders(doc, key),
                waiters,
                new Token(doc.number("latest_token")),
                done(doc),
                doc.time("server_time"));
    }

    static Optional<Done> done(Doc from) {
        return from.optionalDoc("done")
                .map(doc -> new Done(
                        doc.text("generation"),
                        doc.text("by"),
                        new Token(doc.number("fencing_token")),
                        doc.time("at")));
    }

    /** Why a lease ended; unknown for a word of a newer server. */
    static LostReason reason(Doc from) {
        String label = from.optionalText("reason").orElse("").toUpperCase(Locale.ROOT);
        return Stream.of(LostReason.values())
                .filter(reason -> reason.name().equals(label))
                .findFirst()
                .orElse(LostReason.UNKNOWN);
    }

    /** An event of a lock, which does not tell how the lock was shared; empty for what is not known here. */
    static Optional<EventLog.StoredEvent> event(Doc doc) {
        String label = doc.text("event");
        return Stream.of(EventType.values())
                .filter(type -> type.label().equals(label))
                .findFirst()
                .map(type -> event(doc, type));
    }

    private static EventLog.StoredEvent event(Doc doc, EventType type) {
        Duration lasted = doc.optionalNumber("waited_ms")
                .map(waited -> Duration.ofMillis(waited.longValue()))
                .or(() -> doc.optionalNumber("duration_seconds")
                        .map(held -> Duration.ofMillis(Math.round(held.doubleValue() * 1_000))))
                .orElse(Duration.ZERO);
        LockEvent event = new LockEvent(
                type,
                new RecordKey(doc.text("namespace"), doc.text("name")),
                new Scope(
                        Arrays.stream(doc.text("path").split(",", -1))
                                .map(LockPath::of)
                                .toList(),
                        Mode.EXCLUSIVE),
                Long.parseUnsignedLong(doc.text("lock_id"), 16),
                doc.text("locked_by"),
                doc.optionalNumber("fencing_token")
                        .map(token -> new Token(token.longValue()))
                        .orElse(Token.NONE),
                doc.time("timestamp"),
                lasted,
                doc.text("actor"),
                doc.optionalText("reason").orElse(""),
                doc.map("metadata"),
                doc.optionalText("request_id").orElse(""));
        return new EventLog.StoredEvent(doc.number("event_id"), event);
    }

    private static List<LockPath> paths(Doc doc) {
        List<String> several = doc.texts("paths");
        return several.isEmpty()
                ? List.of(LockPath.of(doc.text("path")))
                : several.stream().map(LockPath::of).toList();
    }

    private static Mode mode(Doc doc) {
        return switch (doc.text("mode")) {
            case "exclusive" -> Mode.EXCLUSIVE;
            case "shared" -> Mode.SHARED;
            case "permit" -> Mode.permit((int) doc.number("limit"));
            default ->
                throw new StoreUnusableException(
                        "the server tells of a mode '" + doc.text("mode")
                                + "' that is not known here; upgrade this process",
                        null);
        };
    }
}
