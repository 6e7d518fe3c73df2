package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * One page of a listing. The table is ordered by a hash, so every page reads all of it and keeps the first keys after the
 * cursor: no more memory than a page, but capacity for the whole table. {@link NamespaceQuery} is the cheaper way.
 */
final class OrderedScan {
    /** Of a megabyte each. A table beyond this is none of locks. */
    private static final int MAX_REQUESTS = 4_000;

    private final TableRequests calls;
    private final LockItem items;
    private final ScanRequest request;
    private final Optional<RecordKey> after;
    private final ListingFilter filter;
    /** The first keys found so far, one more than the page takes. */
    private final TreeMap<RecordKey, Versioned> first = new TreeMap<>(ListOrder.BY_BYTES);

    OrderedScan(TableRequests calls, LockItem items, ScanRequest request) {
        this.calls = calls;
        this.items = items;
        this.request = request;
        this.after = request.cursor().map(ListOrder::keyOf);
        this.filter = ListingFilter.of(request.which(), calls.clock().clock().now());
        request.namespace().ifPresent(filter::inNamespace);
        filter.startingWith(request.prefix());
    }

    CompletableFuture<Page> page() {
        return from(Map.of(), 1);
    }

    private CompletableFuture<Page> from(Map<String, AttributeValue> start, int requests) {
        return read(start).thenCompose(found -> {
            found.items().forEach(this::take);
            if (!found.hasLastEvaluatedKey() || found.lastEvaluatedKey().isEmpty()) {
                return CompletableFuture.completedFuture(result());
            }
            if (requests >= MAX_REQUESTS) {
                return CompletableFuture.failedFuture(new StoreUnusableException(
                        "There is too much in " + calls.place() + " to list it; give Holdfast a table of its own",
                        null));
            }
            return from(found.lastEvaluatedKey(), requests + 1);
        });
    }

    private CompletableFuture<ScanResponse> read(Map<String, AttributeValue> start) {
        return calls.read(
                "listing locks",
                () -> calls.client().scan(scan -> {
                    scan.tableName(calls.place().table())
                            .consistentRead(true)
                            .filterExpression(filter.expression())
                            .expressionAttributeNames(filter.names());
                    if (!filter.values().isEmpty()) {
                        scan.expressionAttributeValues(filter.values());
                    }
                    if (!start.isEmpty()) {
                        scan.exclusiveStartKey(start);
                    }
                }));
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

    private boolean isAfter(RecordKey key) {
        return after.isEmpty() || ListOrder.BY_BYTES.compare(key, after.get()) > 0;
    }

    private Page result() {
        boolean more = first.size() > request.limit();
        if (more) {
            first.pollLastEntry();
        }
        return new Page(
                List.copyOf(first.values()), more ? Optional.of(ListOrder.cursor(first.lastKey())) : Optional.empty());
    }
}
