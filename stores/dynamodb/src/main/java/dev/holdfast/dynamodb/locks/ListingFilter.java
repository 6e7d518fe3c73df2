package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.Times;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.time.StoreClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is asked of the items of a listing, with names and values apart: many of the names are reserved words. */
final class ListingFilter {
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /**
     * That an item is one of ours or of LockServiceCentral's, and what goes on in its lock. One of the latter is in use while its time
     * is not over; after that nobody looks after it unless it is asked for: it is not ours to clean up.
     */
    static ListingFilter of(ScanRequest.Which which, Optional<StoreClock.Reading> now) {
        ListingFilter all = new ListingFilter();
        if (which.busy()) {
            long second =
                    now.map(StoreClock.Reading::earliest).orElse(Instant.EPOCH).getEpochSecond();
            all.and(
                    "(#busy = :busy OR (attribute_not_exists(#stamp) AND attribute_exists(#instanceId) AND #expiry >= :expiry))",
                    LockItem.BUSY,
                    AttributeValue.fromBool(true));
            all.names.put("#" + LockItem.STAMP, LockItem.STAMP);
            all.names.put("#instanceId", "instanceId");
            all.names.put("#" + LockItem.EXPIRY, LockItem.EXPIRY);
            all.values.put(":" + LockItem.EXPIRY, LockItem.number(second));
        } else {
            all.and("(attribute_exists(#stamp) OR attribute_exists(#instanceId))", LockItem.STAMP);
            all.names.put("#instanceId", "instanceId");
        }
        which.idleSince().ifPresent(since -> {
            all.and("#busy = :busy", LockItem.BUSY, AttributeValue.fromBool(false));
            all.and("#fence < :fence", LockItem.FENCE, LockItem.number(Times.micros(since)));
        });
        return all;
    }

    /** Adds that the namespace is this one. */
    void inNamespace(String namespace) {
        and("#namespace = :namespace", LockItem.NAMESPACE, AttributeValue.fromS(namespace));
    }

    /** Adds that the name starts so, if that means anything. */
    void startingWith(String prefix) {
        if (!prefix.isEmpty()) {
            and("begins_with(#lockName, :lockName)", LockItem.NAME, AttributeValue.fromS(prefix));
        }
    }

    private void and(String condition, String name) {
        conditions.add(condition);
        names.put("#" + name, name);
    }

    private void and(String condition, String name, AttributeValue value) {
        and(condition, name);
        values.put(":" + name, value);
    }

    String expression() {
        return String.join(" AND ", conditions);
    }

    Map<String, String> names() {
        return names;
    }

    Map<String, AttributeValue> values() {
        return values;
    }
}
