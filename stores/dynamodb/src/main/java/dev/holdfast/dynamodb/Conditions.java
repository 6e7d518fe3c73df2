package dev.holdfast.dynamodb;

import dev.holdfast.model.Times;
import dev.holdfast.spi.ScanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is asked of the items of a listing, with names and values apart: many of the names are reserved words. */
final class Conditions {
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /** That an item is one of ours, and what goes on in its lock. */
    static Conditions of(ScanRequest.Which which) {
        Conditions all = new Conditions();
        all.and("attribute_exists(#" + LockItem.STAMP + ")", LockItem.STAMP);
        if (which.busy()) {
            all.and("#busy = :busy", LockItem.BUSY, AttributeValue.fromBool(true));
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
