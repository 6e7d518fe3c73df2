package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.testkit.process.TurnTaker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** What the processes count in: an item with a number, the token that wrote it, and all tokens that ever did. */
final class DynamoCounter implements TurnTaker.Counter {
    private static final Map<String, AttributeValue> KEY = Map.of("lockId", AttributeValue.fromS("#counter"));

    private final DynamoDbAsyncClient client;
    private final String table;

    DynamoCounter(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    void create() {
        client.putItem(put -> put.tableName(table)
                        .item(Map.of(
                                "lockId",
                                AttributeValue.fromS("#counter"),
                                "count",
                                LockItem.number(0),
                                "token",
                                LockItem.number(0),
                                "tokens",
                                AttributeValue.fromL(List.of()))))
                .join();
    }

    Map<String, AttributeValue> item() {
        return client.getItem(get -> get.tableName(table).key(KEY).consistentRead(true))
                .join()
                .item();
    }

    @Override
    public long value() {
        return Long.parseLong(item().get("count").n());
    }

    @Override
    public boolean write(long next, long token) {
        try {
            client.updateItem(update -> update.tableName(table)
                            .key(KEY)
                            .updateExpression("SET #c = :next, #t = :token, #l = list_append(#l, :tokens)")
                            .conditionExpression("#t < :token")
                            .expressionAttributeNames(Map.of("#c", "count", "#t", "token", "#l", "tokens"))
                            .expressionAttributeValues(Map.of(
                                    ":next",
                                    LockItem.number(next),
                                    ":token",
                                    LockItem.number(token),
                                    ":tokens",
                                    AttributeValue.fromL(List.of(LockItem.number(token))))))
                    .join();
            return true;
        } catch (CompletionException e) {
            if (e.getCause() instanceof ConditionalCheckFailedException) {
                return false;
            }
            throw e;
        }
    }
}
