package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One page of a listing, in the order of DynamoDB's sort keys. The index has the locks of a namespace in that order: from there it reads
 * what it lists, and little more, but what was written a moment ago may not be in it yet. The table is ordered by a hash, so from
 * there every page reads all of it and keeps the first keys after the cursor: no more memory than a page, but capacity for the whole
 * table.
 */
final class ListingPage {
    /** At most this many items are looked at for each request to the index where some are filtered out. */
    private static final int AT_ONCE = 1_000;
    /** Of a megabyte each. A table beyond this is none of locks. */
    private static final int MAX_REQUESTS = 4_000;
    /** By the bytes of UTF-8. Java compares otherwise where one name has an emoji and the other a character above U+E000. */
    private static final Comparator<RecordKey> BY_BYTES =
            Comparator.comparing(RecordKey::namespace).thenComparing(RecordKey::name, ListingPage::compareBytes);

    private final TableRequests calls;
    private final LockItem items;
    private final Optional<String> index;
    private final ScanRequest request;
    private final Optional<RecordKey> after;
    private final ListingFilter filter;
    /** The first keys found so far, one more than the page takes. */
    private final TreeMap<RecordKey, Versioned> first = new TreeMap<>(BY_BYTES);

    /**
     * A page of what is asked for.
     *
     * @param index to read the locks of a namespace from; empty: the table
     * @throws IllegalArgumentException if the cursor is somebody else's
     */
    ListingPage(TableRequests calls, LockItem items, Optional<String> index, ScanRequest request) {
        this.calls = calls;
        this.items = items;
        this.index = index;
        this.request = request;
        this.after = request.after();
        this.filter = new ListingFilter(request, calls.clock().clock().now());
    }

    // ---- places in the order

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private boolean isAfter(RecordKey key) {
        return after.isEmpty() || BY_BYTES.compare(key, after.get()) > 0;
    }

    /** DynamoDB refuses to start outside of what is asked for; then it starts at the beginning, and what comes before is dropped here. */
    private boolean isInside(RecordKey key) {
        return request.namespace().filter(key.namespace()::equals).isPresent()
                && key.name().startsWith(request.prefix());
    }

    /** Where in the index a lock is, or would be if it is gone. */
    private static Map<String, AttributeValue> place(RecordKey key) {
        Map<String, AttributeValue> place = new HashMap<>(LockItem.key(key));
        place.put(LockItem.NAMESPACE, AttributeValue.fromS(key.namespace()));
        place.put(LockItem.NAME, AttributeValue.fromS(key.name()));
        return place;
    }

    // ---- reading

    /** Some items, and where the next ones begin; empty after the last. */
    private record RawPage(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> next) {}

    CompletableFuture<Page> read() {
        Optional<RecordKey> start = index.isPresent() ? after.filter(this::isInside) : Optional.empty();
        return from(start.map(ListingPage::place).orElse(Map.of()), 1);
    }

    private CompletableFuture<Page> from(Map<String, AttributeValue> start, int requests) {
        return (index.isPresent() ? query(index.get(), start) : scan(start)).thenCompose(found -> {
            found.items().forEach(this::take);
            boolean full =
                    index.isPresent() && first.size() > request.limit(); // in order, so nothing else comes before
            if (full || found.next().isEmpty()) {
                return CompletableFuture.completedFuture(result());
            }
            if (requests >= MAX_REQUESTS) {
                return CompletableFuture.failedFuture(new StoreUnusableException(
                        "There is too much in " + calls.place() + " to list it; give Holdfast a table of its own",
                        null));
            }
            return from(found.next(), requests + 1);
        });
    }

    private CompletableFuture<RawPage> scan(Map<String, AttributeValue> start) {
        return calls.read(
                        "listing locks",
                        client ->
                                client.scan(scan -> scan.tableName(calls.place().table())
                                        .consistentRead(true)
                                        .filterExpression(filter.whole())
                                        .expressionAttributeNames(filter.names())
                                        .expressionAttributeValues(orNone(filter.values()))
                                        .exclusiveStartKey(orNone(start))))
                .thenApply(answer -> new RawPage(answer.items(), answer.lastEvaluatedKey()));
    }

    private CompletableFuture<RawPage> query(String name, Map<String, AttributeValue> start) {
        int limit = request.which().equals(ScanRequest.Which.ALL) ? request.limit() + 1 - first.size() : AT_ONCE;
        return calls.read(
                        "listing locks by index '" + name + "'",
                        client -> client.query(
                                query -> query.tableName(calls.place().table())
                                        .indexName(name)
                                        .keyConditionExpression(filter.keys())
                                        .filterExpression(filter.others())
                                        .expressionAttributeNames(filter.names())
                                        .expressionAttributeValues(filter.values())
                                        .limit(limit)
                                        .exclusiveStartKey(orNone(start))))
                .thenApply(answer -> new RawPage(answer.items(), answer.lastEvaluatedKey()));
    }

    /** What is empty must not be sent at all. */
    private static @Nullable Map<String, AttributeValue> orNone(Map<String, AttributeValue> values) {
        return values.isEmpty() ? null : values;
    }

    private void take(Map<String, AttributeValue> item) {
        Optional<Versioned> found = items.listed(item);
        if (found.isPresent() && isAfter(found.get().record().key())) {
            first.put(found.get().record().key(), found.get());
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
        return new Page(
                List.copyOf(first.values()), more ? Optional.of(Page.cursor(first.lastKey())) : Optional.empty());
    }
}
