package dev.holdfast.dynamodb;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * One page of a listing. The table is ordered by a hash, so every page reads all of it and keeps the first keys after the
 * cursor: no more memory than a page, but capacity for the whole table.
 */
final class OrderedScan {
    private static final Logger LOG = LoggerFactory.getLogger(OrderedScan.class);

    /** Of a megabyte each. A table beyond this is none of locks. */
    private static final int MAX_REQUESTS = 4_000;

    private final Calls calls;
    private final LockItem items;
    private final ScanRequest request;
    private final Optional<RecordKey> after;
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    /** The first keys found so far, one more than the page takes. */
    private final TreeMap<RecordKey, Versioned> first = new TreeMap<>();

    OrderedScan(Calls calls, LockItem items, ScanRequest request) {
        this.calls = calls;
        this.items = items;
        this.request = request;
        this.after = request.cursor().map(OrderedScan::keyOf);
        filter();
    }

    CompletableFuture<Page> page() {
        return from(Map.of(), 1);
    }

    private void filter() {
        and("attribute_exists(#" + LockItem.STAMP + ")", LockItem.STAMP);
        request.namespace()
                .ifPresent(namespace ->
                        and("#namespace = :namespace", LockItem.NAMESPACE, AttributeValue.fromS(namespace)));
        if (!request.prefix().isEmpty()) {
            and("begins_with(#lockName, :lockName)", LockItem.NAME, AttributeValue.fromS(request.prefix()));
        }
        if (request.which().busy()) {
            and("#busy = :busy", LockItem.BUSY, AttributeValue.fromBool(true));
        }
        request.which().idleSince().ifPresent(since -> {
            and("#busy = :busy", LockItem.BUSY, AttributeValue.fromBool(false));
            and("#fence < :fence", LockItem.FENCE, LockItem.number(Times.micros(since)));
        });
    }

    private void and(String condition, String name) {
        conditions.add(condition);
        names.put("#" + name, name);
    }

    private void and(String condition, String name, AttributeValue value) {
        and(condition, name);
        values.put(":" + name, value);
    }

    private CompletableFuture<Page> from(Map<String, AttributeValue> start, int requests) {
        return read(start).thenCompose(found -> {
            found.items().forEach(this::take);
            if (!found.hasLastEvaluatedKey() || found.lastEvaluatedKey().isEmpty()) {
                return CompletableFuture.completedFuture(result());
            }
            if (requests >= MAX_REQUESTS) {
                return CompletableFuture.failedFuture(new StoreUnusableException(
                        "There is too much in " + calls.place + " to list it; give Holdfast a table of its own", null));
            }
            return from(found.lastEvaluatedKey(), requests + 1);
        });
    }

    private CompletableFuture<ScanResponse> read(Map<String, AttributeValue> start) {
        return calls.read(
                "listing locks",
                () -> calls.client.scan(scan -> {
                    scan.tableName(calls.place.table())
                            .consistentRead(true)
                            .filterExpression(String.join(" AND ", conditions))
                            .expressionAttributeNames(names);
                    if (!values.isEmpty()) {
                        scan.expressionAttributeValues(values);
                    }
                    if (!start.isEmpty()) {
                        scan.exclusiveStartKey(start);
                    }
                }));
    }

    /** One damaged record must not hide all others from those who list or clean up; who asks for it by name is told. */
    private void take(Map<String, AttributeValue> item) {
        LockRecord record;
        try {
            record = items.record(item);
        } catch (StoreUnusableException e) {
            LOG.warn("Left out of a listing: {}", e.getMessage());
            return;
        }
        if (after.isEmpty() || record.key().compareTo(after.get()) > 0) {
            first.put(record.key(), Versioned.of(record));
            if (first.size() > request.limit() + 1) {
                first.pollLastEntry();
            }
        }
    }

    private Page result() {
        boolean more = first.size() > request.limit();
        if (more) {
            first.pollLastEntry();
        }
        return new Page(List.copyOf(first.values()), more ? Optional.of(cursor(first.lastKey())) : Optional.empty());
    }

    private static String cursor(RecordKey key) {
        return key.namespace() + '\u0000' + key.name();
    }

    private static RecordKey keyOf(String cursor) {
        int end = cursor.indexOf('\u0000');
        if (end < 0) {
            throw new IllegalArgumentException("cursor is not one that a listing gave out; start again without it");
        }
        return new RecordKey(cursor.substring(0, end), cursor.substring(end + 1));
    }
}
