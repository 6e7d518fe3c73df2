package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * One page of the locks of a namespace, from the index, which has them in order: it reads what it lists, and little more. What was
 * written a moment ago may not be in it yet.
 */
final class NamespaceQuery {
    /** At most this many items are looked at for each request where some are filtered out. */
    private static final int AT_ONCE = 1_000;

    /** More items of one namespace, one after the other, than a table of locks has. */
    private static final int MAX_REQUESTS = 4_000;

    private final TableRequests calls;
    private final LockItem items;
    private final String index;
    private final ScanRequest request;
    private final Optional<RecordKey> after;
    private final ListingFilter keys = new ListingFilter();
    private final ListingFilter filter;
    private final List<Versioned> found = new ArrayList<>();

    /** @throws IllegalArgumentException if the cursor is somebody else's */
    NamespaceQuery(TableRequests calls, LockItem items, String index, ScanRequest request) {
        this.calls = calls;
        this.items = items;
        this.index = index;
        this.request = request;
        this.after = request.cursor().map(ListOrder::keyOf);
        keys.inNamespace(request.namespace().orElseThrow());
        keys.startingWith(request.prefix());
        this.filter = ListingFilter.of(request.which(), calls.clock().clock().now());
    }

    CompletableFuture<Page> page() {
        return from(after.filter(this::isInside).map(NamespaceQuery::place).orElse(Map.of()), 1);
    }

    /** DynamoDB refuses to start outside of what is asked for; then it starts at the beginning, and what comes before is dropped here. */
    private boolean isInside(RecordKey key) {
        return key.namespace().equals(request.namespace().orElseThrow())
                && key.name().startsWith(request.prefix());
    }

    /** Where in the index a lock is, or would be if it is gone. */
    private static Map<String, AttributeValue> place(RecordKey key) {
        Map<String, AttributeValue> place = new HashMap<>(LockItem.key(key));
        place.put(LockItem.NAMESPACE, AttributeValue.fromS(key.namespace()));
        place.put(LockItem.NAME, AttributeValue.fromS(key.name()));
        return place;
    }

    private CompletableFuture<Page> from(Map<String, AttributeValue> start, int requests) {
        QueryRequest query = query(start);
        return calls.read(
                        "listing locks by index '" + index + "'",
                        () -> calls.client().query(query))
                .thenCompose(answer -> {
                    answer.items().forEach(this::take);
                    boolean over = !answer.hasLastEvaluatedKey()
                            || answer.lastEvaluatedKey().isEmpty();
                    if (over || found.size() > request.limit()) {
                        return CompletableFuture.completedFuture(result());
                    }
                    return requests >= MAX_REQUESTS
                            ? CompletableFuture.failedFuture(new StoreUnusableException(
                                    "There is too much in one namespace of " + calls.place() + " to list it", null))
                            : from(answer.lastEvaluatedKey(), requests + 1);
                });
    }

    private QueryRequest query(Map<String, AttributeValue> start) {
        Map<String, String> names = new HashMap<>(keys.names());
        names.putAll(filter.names());
        Map<String, AttributeValue> values = new HashMap<>(keys.values());
        values.putAll(filter.values());
        QueryRequest.Builder query = QueryRequest.builder()
                .tableName(calls.place().table())
                .indexName(index)
                .keyConditionExpression(keys.expression())
                .filterExpression(filter.expression())
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .limit(request.which().equals(ScanRequest.Which.ALL) ? request.limit() + 1 - found.size() : AT_ONCE);
        if (!start.isEmpty()) {
            query.exclusiveStartKey(start);
        }
        return query.build();
    }

    private void take(Map<String, AttributeValue> item) {
        Optional<Versioned> next = items.listed(item);
        if (next.isPresent()
                && found.size() <= request.limit()
                && isAfter(next.get().record().key())) {
            found.add(next.get());
        }
    }

    private boolean isAfter(RecordKey key) {
        return after.isEmpty() || ListOrder.BY_BYTES.compare(key, after.get()) > 0;
    }

    private Page result() {
        if (found.size() <= request.limit()) {
            return new Page(List.copyOf(found), Optional.empty());
        }
        List<Versioned> page = List.copyOf(found.subList(0, request.limit()));
        return new Page(
                page,
                Optional.of(ListOrder.cursor(page.get(page.size() - 1).record().key())));
    }
}
