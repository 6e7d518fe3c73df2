package dev.holdfast.wire.backup;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The form of each line: an object with one member, which says what it is. Times are microseconds since 1970, as in stores. */
final class BackupLines {
    static final String HEADER = "backup";
    static final String LOCK = "lock";
    static final String EVENT = "event";
    static final String FENCE = "fence";
    static final String DOCUMENT = "document";
    static final String BYTES = "bytes";
    static final String GONE = "gone";
    static final String END = "end";

    private BackupLines() {}

    private static byte[] line(String kind, Json value) {
        return Json.build().with(kind, value).build().bytes();
    }

    // ---- the first and the last

    static byte[] of(BackupHeader header) {
        return line(
                HEADER,
                Json.build()
                        .with("format", header.format())
                        .with("created_at", Rfc3339.text(header.createdAt()))
                        .with("written_by", header.writtenBy())
                        .with("store", header.store())
                        .with("store_time", Rfc3339.text(header.storeTime()))
                        .build());
    }

    static BackupHeader header(Json.Obj it) {
        return new BackupHeader(
                Math.toIntExact(number(it, "format")),
                Instant.parse(text(it, "created_at")),
                text(it, "written_by"),
                text(it, "store"),
                Instant.parse(text(it, "store_time")));
    }

    static byte[] end(BackupTotals totals, String sha256) {
        return line(
                END,
                Json.build()
                        .with("locks", totals.locks())
                        .with("held", totals.held())
                        .with("events", totals.events())
                        .with("fences", totals.fences())
                        .with("documents", totals.documents())
                        .with("bytes", totals.bytes())
                        .with("newest_token", totals.newest().value())
                        .with("sha256", sha256)
                        .build());
    }

    static BackupTotals totals(Json.Obj it) {
        return new BackupTotals(
                number(it, "locks"),
                number(it, "held"),
                number(it, "events"),
                number(it, "fences"),
                number(it, "documents"),
                number(it, "bytes"),
                new Token(number(it, "newest_token")));
    }

    // ---- locks

    static byte[] of(LockRecord record) {
        return line(
                LOCK,
                key(record.key())
                        .with("stamp", Long.toHexString(record.stamp().value()))
                        .with("fencing_token", record.fence().value())
                        .with("record", Json.parse(RecordCodec.body(record).getBytes(StandardCharsets.UTF_8)))
                        .with("past", PastJson.write(record.past()))
                        .build());
    }

    static LockRecord lock(Json.Obj it) {
        return RecordCodec.decode(
                key(it),
                new Stamp(Long.parseUnsignedLong(text(it, "stamp"), 16)),
                new Token(number(it, "fencing_token")),
                it.at("record").compact(),
                text(it, "past"));
    }

    // ---- events

    static byte[] of(StoredEvent stored) {
        LockEvent event = stored.event();
        return line(
                EVENT,
                key(event.key())
                        .with("number", stored.number())
                        .with("at", Times.micros(event.at()))
                        .with("event", event.type().name().toLowerCase(Locale.ROOT))
                        .with("paths", Json.array(event.scope().paths(), path -> Json.of(path.value())))
                        .with("mode", event.scope().mode().label())
                        .with("limit", event.scope().mode().limit())
                        .with("lease", Long.toHexString(event.lease()))
                        .with("owner", event.owner())
                        .with("fencing_token", event.token().value())
                        .with("lasted_us", Times.micros(event.lasted()))
                        .with("actor", event.actor())
                        .with("reason", event.reason())
                        .with("metadata", texts(event.metadata()))
                        .with("request", event.request())
                        .build());
    }

    static StoredEvent event(Json.Obj it) {
        List<LockPath> paths = it.texts("paths").stream()
                .map(path -> path.isEmpty() ? LockPath.WHOLE : LockPath.of(path))
                .toList();
        return new StoredEvent(
                number(it, "number"),
                new LockEvent(
                        EventType.valueOf(text(it, "event").toUpperCase(Locale.ROOT)),
                        key(it),
                        new Scope(paths, mode(text(it, "mode"), Math.toIntExact(number(it, "limit")))),
                        Long.parseUnsignedLong(text(it, "lease"), 16),
                        text(it, "owner"),
                        new Token(number(it, "fencing_token")),
                        Times.ofMicros(number(it, "at")),
                        Times.ofMicrosLong(number(it, "lasted_us")),
                        text(it, "actor"),
                        text(it, "reason"),
                        Map.copyOf(it.textsByName("metadata")),
                        text(it, "request")));
    }

    private static Mode mode(String label, int limit) {
        return new Mode(Mode.Kind.valueOf(label.toUpperCase(Locale.ROOT)), limit);
    }

    // ---- fences and documents

    static byte[] of(FencedToken fence) {
        return line(
                FENCE,
                key(fence.key())
                        .with("path", fence.path())
                        .with("fencing_token", fence.token().value())
                        .build());
    }

    static FencedToken fence(Json.Obj it) {
        return new FencedToken(key(it), text(it, "path"), new Token(number(it, "fencing_token")));
    }

    static byte[] document(String name, long size, String sha256, Map<String, String> attributes) {
        return line(
                DOCUMENT,
                Json.build()
                        .with("name", name)
                        .with("size", size)
                        .with("sha256", sha256)
                        .with("attributes", texts(attributes))
                        .build());
    }

    static byte[] bytes(byte[] content, int from, int to) {
        byte[] part = Arrays.copyOfRange(content, from, to);
        return line(BYTES, Json.of(Base64.getEncoder().encodeToString(part)));
    }

    static byte[] gone(String name) {
        return line(GONE, Json.of(name));
    }

    // ---- parts of them

    private static ObjectBuilder key(RecordKey key) {
        return Json.build().with("namespace", key.namespace()).with("name", key.name());
    }

    private static RecordKey key(Json.Obj it) {
        return new RecordKey(text(it, "namespace"), text(it, "name"));
    }

    private static Json texts(Map<String, String> texts) {
        ObjectBuilder object = Json.build();
        new TreeMap<>(texts).forEach(object::with);
        return object.build();
    }

    static String text(Json.Obj it, String name) {
        return it.text(name).orElseThrow(() -> new IllegalArgumentException("it lacks the text '" + name + "'"));
    }

    static long number(Json.Obj it, String name) {
        return it.at(name)
                .number()
                .orElseThrow(() -> new IllegalArgumentException("it lacks the number '" + name + "'"));
    }
}
