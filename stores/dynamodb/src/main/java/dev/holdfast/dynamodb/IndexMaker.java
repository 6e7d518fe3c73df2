package dev.holdfast.dynamodb;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.dynamodb.requests.DynamoFailures;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** What the index for listings is, and how a table that is there gets it. */
record IndexMaker(TableRequests calls) {
    private static final List<KeySchemaElement> KEYS = TableMaker.schema(IndexCheck.KEYS);
    private static final Projection WHOLE =
            Projection.builder().projectionType(ProjectionType.ALL).build();

    /** The index of a table that is made with it. */
    static GlobalSecondaryIndex index(String name) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(KEYS)
                .projection(WHOLE)
                .build();
    }

    /**
     * Begins to make it, unless it is there.
     *
     * @throws StoreUnusableException if another one of this name is there, or the name of a lock is too long for it
     */
    void begin(TableDescription table, String name) {
        Optional<GlobalSecondaryIndexDescription> there = IndexCheck.find(table, name);
        if (there.isPresent()) {
            new IndexCheck(calls.place()).wrong(table, there.get()).ifPresent(wrong -> {
                throw new StoreUnusableException(wrong, null);
            });
            return;
        }
        requireShortNames();
        AwsRequests.await(calls.write(
                "making index '" + name + "'",
                client -> client.updateTable(
                        update -> update.tableName(calls.place().table())
                                .attributeDefinitions(TableMaker.attributes(IndexCheck.KEYS))
                                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                                        .create(create(table, name))
                                        .build()))));
    }

    private static CreateGlobalSecondaryIndexAction create(TableDescription table, String name) {
        CreateGlobalSecondaryIndexAction.Builder index = CreateGlobalSecondaryIndexAction.builder()
                .indexName(name)
                .keySchema(KEYS)
                .projection(WHOLE);
        boolean onDemand = table.billingModeSummary() != null
                && table.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
        if (!onDemand) { // every write of the table is one of the index too, and one that is too slow slows the table
            index.provisionedThroughput(units -> units.readCapacityUnits(
                            table.provisionedThroughput().readCapacityUnits())
                    .writeCapacityUnits(table.provisionedThroughput().writeCapacityUnits()));
        }
        return index.build();
    }

    /** With the index, DynamoDB would refuse every write of such a lock: also the one that releases it. */
    private void requireShortNames() {
        Map<String, AttributeValue> start = Map.of();
        do {
            Map<String, AttributeValue> from = start;
            ScanResponse page = AwsRequests.await(calls.read(
                    "looking for long names",
                    client -> client.scan(scan -> scan.tableName(calls.place().table())
                            .projectionExpression(LockItem.NAME)
                            .exclusiveStartKey(from.isEmpty() ? null : from))));
            page.items().forEach(this::requireShort);
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
    }

    private void requireShort(Map<String, AttributeValue> item) {
        AttributeValue name = item.get(LockItem.NAME);
        if (name != null
                && name.s() != null
                && name.s().getBytes(StandardCharsets.UTF_8).length > DynamoFailures.MAX_INDEXED_NAME) {
            throw new StoreUnusableException(
                    "Lock '" + name.s() + "' in " + calls.place() + " has a name of more than "
                            + DynamoFailures.MAX_INDEXED_NAME
                            + " bytes, which could not be written any more beside an index. Nothing was changed; do without the"
                            + " index, or give the lock another name and delete its item",
                    null);
        }
    }
}
