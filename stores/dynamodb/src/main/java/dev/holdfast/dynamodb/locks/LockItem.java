package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A record as an item. {@code record} and {@code past} are the record; {@code stamp}, {@code fence}, {@code format} and {@code
 * busy} are compared; the rest is for people and other tools, of the first holder, and is gone when nobody holds.
 */
public record LockItem(TableAddress place, TimeToLive timeToLive) {
    private static final Logger LOG = LoggerFactory.getLogger(LockItem.class);

    public static final String KEY = "lockId";
    public static final String NAMESPACE = "namespace";
    public static final String NAME = "lockName";
    public static final String STAMP = "stamp";
    public static final String FENCE = "fence";
    public static final String FORMAT = "format";
    public static final String BUSY = "busy";
    public static final String RECORD = "record";
    public static final String PAST = "past";
    public static final String EXPIRY = "expiry";
    /** There while the record knows of once-only work: the {@code expiry} it gets from who has not read it. */
    public static final String KEEP = "keep";
    /** There while the lock is held by LockServiceCentral, and somebody waits for it here: see {@link CentralHold}. */
    public static final String ELSEWHERE = "heldElsewhere";

    /** All but the key, in the order in which they are written. */
    public static final List<String> ATTRIBUTES = List.of(
            NAMESPACE,
            NAME,
            STAMP,
            FENCE,
            FORMAT,
            BUSY,
            "owner",
            "instanceId",
            "leaseId",
            "token",
            "leaseDuration",
            "lockKey",
            "lockedBy",
            "lockedAt",
            "lastHeartbeat",
            "expiresAt",
            "busyUntil",
            "metadata",
            EXPIRY,
            KEEP,
            ELSEWHERE,
            RECORD,
            PAST);

    // ---- the key

    public static Map<String, AttributeValue> key(RecordKey key) {
        return key(AttributeValue.fromS(key.namespace() + ":" + key.name()));
    }

    public static Map<String, AttributeValue> key(AttributeValue value) {
        return Map.of(KEY, value);
    }

    // ---- writing

    /** The attributes of this record; what it has no value for is missing, and so is an empty past. */
    Map<String, AttributeValue> attributes(LockRecord record, RecordText text) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(NAMESPACE, AttributeValue.fromS(record.key().namespace()));
        item.put(NAME, AttributeValue.fromS(record.key().name()));
        item.put(STAMP, number(record.stamp().value()));
        item.put(FENCE, number(record.fence().value()));
        item.put(FORMAT, number(record.format()));
        item.put(BUSY, AttributeValue.fromBool(!record.isIdle()));
        item.put(RECORD, AttributeValue.fromS(text.body()));
        if (!text.past().isEmpty()) {
            item.put(PAST, AttributeValue.fromS(text.past()));
        }
        if (record.past().done().isPresent()) {
            item.put(KEEP, number(Times.NEVER.getEpochSecond()));
        }
        if (!record.holds().isEmpty()) {
            describe(record.key(), record.holds().get(0), item);
        }
        record.busyUntil().ifPresent(end -> putEnd(item, "busyUntil", end));
        timeToLive.of(record).ifPresent(end -> item.put(EXPIRY, number(end.getEpochSecond())));
        return item;
    }

    private static void describe(RecordKey key, Hold hold, Map<String, AttributeValue> item) {
        item.put("owner", AttributeValue.fromS(hold.owner()));
        item.put(
                "instanceId",
                AttributeValue.fromS(
                        hold.leaseId().instanceId().orElse(hold.leaseId().value())));
        item.put("leaseId", AttributeValue.fromS(hold.leaseId().value()));
        item.put("token", number(hold.token().value()));
        item.put("lockKey", AttributeValue.fromS(key.name()));
        item.put("lockedBy", AttributeValue.fromS(hold.owner()));
        item.put("lockedAt", number(hold.grantedAt().getEpochSecond()));
        item.put("lastHeartbeat", number(hold.renewedAt().getEpochSecond()));
        putEnd(item, "expiresAt", hold.expiresAt());
        Duration lease = hold.terms().lease();
        if (!lease.equals(Times.FOREVER)) {
            item.put("leaseDuration", number(lease.plusNanos(999_999_999).toSeconds()));
        }
        if (!hold.terms().metadata().isEmpty()) {
            Map<String, AttributeValue> metadata = new TreeMap<>();
            hold.terms().metadata().forEach((name, value) -> metadata.put(name, AttributeValue.fromS(value)));
            item.put("metadata", AttributeValue.fromM(metadata));
        }
    }

    /** Whole seconds, not before the end; nothing for what never ends. */
    private static void putEnd(Map<String, AttributeValue> item, String name, Instant end) {
        if (!end.equals(Times.NEVER)) {
            item.put(name, number(Times.endOfSecond(end.minusNanos(1)).getEpochSecond()));
        }
    }

    public static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    // ---- reading

    /** @throws StoreUnusableException if the item is neither one of ours nor one of LockServiceCentral's, or damaged */
    Versioned stored(Map<String, AttributeValue> item) {
        try {
            if (item.containsKey(STAMP)) {
                LockRecord record = record(item);
                return item.containsKey(ELSEWHERE)
                        ? CentralHold.beside(record, CentralItem.of(item))
                        : Versioned.of(record);
            }
            return CentralHold.alone(CentralItem.of(item));
        } catch (IllegalArgumentException e) {
            throw foreign(item, e);
        }
    }

    private static LockRecord record(Map<String, AttributeValue> item) {
        return RecordCodec.decode(
                new RecordKey(ItemAttributes.text(item, NAMESPACE), ItemAttributes.text(item, NAME)),
                new Stamp(ItemAttributes.number(item, STAMP)),
                new Token(ItemAttributes.number(item, FENCE)),
                ItemAttributes.text(item, RECORD),
                item.containsKey(PAST) ? ItemAttributes.text(item, PAST) : "");
    }

    /** One damaged record must not hide all others from those who list or clean up; who asks for it by name is told. */
    Optional<Versioned> listed(Map<String, AttributeValue> item) {
        try {
            return Optional.of(stored(item));
        } catch (StoreUnusableException e) {
            LOG.warn("Left out of a listing: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private StoreUnusableException foreign(Map<String, AttributeValue> item, IllegalArgumentException e) {
        AttributeValue key = item.get(KEY);
        return new StoreUnusableException(
                "Item '" + (key == null ? "?" : key.s()) + "' of " + place + " was not written by Holdfast ("
                        + e.getMessage() + "; it has " + String.join(", ", new TreeSet<>(item.keySet()))
                        + "). It was not touched. Give Holdfast a table of its own, or delete the item when nobody can be"
                        + " holding the lock by the tool that wrote it",
                e);
    }
}
