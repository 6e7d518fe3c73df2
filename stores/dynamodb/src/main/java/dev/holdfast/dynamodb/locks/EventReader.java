package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Looks through the history by number, forward or back, until enough events match, their time is past, or {@value
 * #MAX_REQUESTS} requests were made: a rare lock is found among about the newest hundred thousand events, not beyond.
 */
final class EventReader {
    /** Of a megabyte each: some thousand events. */
    private static final int MAX_REQUESTS = 50;
    /** Events are numbered when they are stored, in nearly the order of their times: nearer than this. */
    private static final Duration DISORDER = Duration.ofMinutes(1);

    private static final String BETWEEN = "#log = :events AND #number BETWEEN :first AND :last";

    private final TableRequests calls;
    private final EventQuery query;
    private final List<StoredEvent> found = new ArrayList<>();

    EventReader(TableRequests calls, EventQuery query) {
        this.calls = calls;
        this.query = query;
    }

    CompletableFuture<List<StoredEvent>> find() {
        long first = Math.max(0, query.after().orElse(0L)) + 1;
        long last = query.before().orElse(Long.MAX_VALUE) - 1;
        return last < first ? CompletableFuture.completedFuture(found) : from(Map.of(), first, last, 1);
    }

    private CompletableFuture<List<StoredEvent>> from(
            Map<String, AttributeValue> start, long first, long last, int requests) {
        return read(start, first, last).thenCompose(page -> {
            boolean over = take(page.items());
            return over || page.lastEvaluatedKey().isEmpty() || requests >= MAX_REQUESTS
                    ? CompletableFuture.completedFuture(found)
                    : from(page.lastEvaluatedKey(), first, last, requests + 1);
        });
    }

    private CompletableFuture<QueryResponse> read(Map<String, AttributeValue> start, long first, long last) {
        Map<String, AttributeValue> values =
                Map.of(":events", EventItem.EVENTS, ":first", LockItem.number(first), ":last", LockItem.number(last));
        return calls.read(
                "reading the history",
                client -> client.query(request -> request.tableName(
                                calls.place().eventTable())
                        .consistentRead(true)
                        .keyConditionExpression(BETWEEN)
                        .expressionAttributeNames(Map.of("#log", EventItem.LOG_NAME, "#number", EventItem.NUMBER))
                        .expressionAttributeValues(values)
                        .scanIndexForward(query.after().isPresent())
                        .limit(isUnfiltered() ? query.limit() : null)
                        .exclusiveStartKey(start.isEmpty() ? null : start)));
    }

    private boolean isUnfiltered() {
        return query.namespace().isEmpty()
                && query.name().isEmpty()
                && query.called().isEmpty()
                && query.type().isEmpty()
                && query.from().isEmpty()
                && query.to().isEmpty();
    }

    /** Takes what matches; whether nothing more is wanted. */
    private boolean take(List<Map<String, AttributeValue>> items) {
        for (Map<String, AttributeValue> item : items) {
            Optional<StoredEvent> event = EventItem.readable(item);
            if (event.isEmpty()) {
                continue;
            }
            if (isPast(event.get().event().at())) {
                return true;
            }
            if (query.matches(event.get().number(), event.get().event())) {
                found.add(event.get());
                if (found.size() == query.limit()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether all events further on are too late, or, going back, too early. */
    private boolean isPast(Instant at) {
        return query.after().isPresent()
                ? query.to().map(to -> at.isAfter(to.plus(DISORDER))).orElse(false)
                : query.from().map(from -> at.isBefore(from.minus(DISORDER))).orElse(false);
    }
}
