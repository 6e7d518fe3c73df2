package dev.holdfast.dynamodb.locks;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Stores events of another log under the numbers they have there. The counter is raised past them first, so that nobody else is given
 * these numbers; then each is put on the condition that its number is free.
 */
record EventImport(TableRequests calls, Duration retention) {
    /** So many requests at a time: a history is moved while nobody else is served. */
    private static final int AT_ONCE = 25;

    CompletableFuture<Void> run(List<StoredEvent> events) {
        if (events.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return raise(events.get(events.size() - 1).number()).thenCompose(raised -> putFrom(events, 0));
    }

    private CompletableFuture<Void> raise(long last) {
        return unless(() -> calls.<UpdateItemResponse>write(
                "numbering events",
                client -> client.updateItem(
                        update -> update.tableName(calls.place().eventTable())
                                .key(EventItem.COUNTER)
                                .updateExpression("SET #last = :last")
                                .conditionExpression("attribute_not_exists(#last) OR #last < :last")
                                .expressionAttributeNames(Map.of("#last", EventItem.LAST))
                                .expressionAttributeValues(Map.of(":last", LockItem.number(last))))));
    }

    private CompletableFuture<Void> putFrom(List<StoredEvent> events, int first) {
        List<StoredEvent> some = events.subList(first, Math.min(events.size(), first + AT_ONCE));
        return CompletableFuture.allOf(some.stream().map(this::put).toArray(CompletableFuture[]::new))
                .thenCompose(done -> first + some.size() < events.size()
                        ? putFrom(events, first + some.size())
                        : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> put(StoredEvent event) {
        return unless(() -> calls.write(
                "storing events",
                client -> client.putItem(put -> put.tableName(calls.place().eventTable())
                        .item(EventItem.of(event, retention))
                        .conditionExpression("attribute_not_exists(#number)")
                        .expressionAttributeNames(Map.of("#number", EventItem.NUMBER)))));
    }

    /** A condition that does not hold is no failure: it is as it should be already. */
    private static CompletableFuture<Void> unless(Supplier<? extends CompletableFuture<?>> request) {
        return request.get().<Void>thenApply(done -> null).exceptionallyCompose(failure -> {
            Throwable cause = AwsFailures.cause(failure);
            return cause instanceof ConditionalCheckFailedException
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(cause);
        });
    }
}
