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
    private final List<String> keys = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /**
     * That an item is one of ours or of LockServiceCentral's, has such a key, and what goes on in its lock. One of the latter is in use
     * while its time is not over; after that nobody looks after it unless it is asked for: it is not ours to clean up.
     */
    ListingFilter(ScanRequest request, Optional<StoreClock.Reading> now) {
        request.namespace()
                .ifPresent(it -> and(keys, "#namespace = :namespace", LockItem.NAMESPACE, AttributeValue.fromS(it)));
        if (!request.prefix().isEmpty()) {
            AttributeValue prefix = AttributeValue.fromS(request.prefix());
            and(keys, "begins_with(#lockName, :lockName)", LockItem.NAME, prefix);
        }
        names.put("#" + LockItem.STAMP, LockItem.STAMP);
        names.put("#instanceId", "instanceId");
        if (request.which().busy()) {
            long second =
                    now.map(StoreClock.Reading::earliest).orElse(Instant.EPOCH).getEpochSecond();
            String inUse =
                    "(#busy = :busy OR (attribute_not_exists(#stamp) AND attribute_exists(#instanceId) AND #expiry >= :expiry))";
            and(others, inUse, LockItem.BUSY, AttributeValue.fromBool(true));
            names.put("#" + LockItem.EXPIRY, LockItem.EXPIRY);
            values.put(":" + LockItem.EXPIRY, LockItem.number(second));
        } else {
            others.add("(attribute_exists(#stamp) OR attribute_exists(#instanceId))");
        }
        request.which().idleSince().ifPresent(since -> {
            and(others, "#busy = :busy", LockItem.BUSY, AttributeValue.fromBool(false));
            and(others, "#fence < :fence", LockItem.FENCE, LockItem.number(Times.micros(since)));
        });
    }

    private void and(List<String> conditions, String condition, String name, AttributeValue value) {
        conditions.add(condition);
        names.put("#" + name, name);
        values.put(":" + name, value);
    }

    /** What is asked of namespace and name. */
    String keys() {
        return String.join(" AND ", keys);
    }

    /** What is asked of the rest. */
    String others() {
        return String.join(" AND ", others);
    }

    String whole() {
        return keys.isEmpty() ? others() : keys() + " AND " + others();
    }

    Map<String, String> names() {
        return names;
    }

    Map<String, AttributeValue> values() {
        return values;
    }
}
