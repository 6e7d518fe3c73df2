package dev.holdfast.dynamodb;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Makes and removes the tables. Blocks, as tools want it. */
record TableMaker(TableRequests calls, Duration patience) {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    /** Adding an index takes DynamoDB some minutes, even where there is little to put into it. */
    private static final int INDEX_PATIENCE = 10;

    private TableCheck check() {
        return new TableCheck(calls);
    }

    void make(boolean withHistory, Optional<String> index) {
        make(calls.place().table(), TableCheck.LOCK_KEYS, index);
        index.ifPresent(this::makeIndex);
        if (withHistory) {
            make(calls.place().eventTable(), TableCheck.EVENT_KEYS, Optional.empty());
        }
        ensure(
                calls.place().documentTable(),
                TableCheck.DOCUMENT_KEYS,
                Optional.empty()); // nothing in it ends by itself
    }

    void drop() {
        drop(calls.place().table(), TableCheck.LOCK_KEYS);
        drop(calls.place().eventTable(), TableCheck.EVENT_KEYS);
        drop(calls.place().documentTable(), TableCheck.DOCUMENT_KEYS);
    }

    private void make(String name, List<String> keys, Optional<String> index) {
        ensure(name, keys, index);
        limitLife(name);
    }

    private void makeIndex(String name) {
        String table = calls.place().table();
        new IndexMaker(calls)
                .begin(find(table).orElseThrow(() -> calls.failures().noTable(null)), name);
        await(
                "index '" + name + "' of table '" + table + "' can be used",
                patience.multipliedBy(INDEX_PATIENCE),
                () -> find(table)
                        .filter(it -> it.tableStatus() == TableStatus.ACTIVE)
                        .flatMap(it -> IndexCheck.find(it, name))
                        .filter(IndexCheck::isReady)
                        .isPresent());
    }

    private void ensure(String name, List<String> keys, Optional<String> index) {
        Optional<TableDescription> there = find(name);
        if (there.isEmpty()) {
            create(name, keys, index);
        } else {
            check().require(name, there.get(), keys);
        }
        await(
                "table '" + name + "' can be used",
                patience,
                () -> find(name)
                        .filter(table -> table.tableStatus() == TableStatus.ACTIVE)
                        .isPresent());
    }

    private void create(String name, List<String> keys, Optional<String> index) {
        List<AttributeDefinition> attributes = new ArrayList<>(attributes(keys));
        CreateTableRequest.Builder create = CreateTableRequest.builder()
                .tableName(name)
                .keySchema(schema(keys))
                .billingMode(BillingMode.PAY_PER_REQUEST);
        if (index.isPresent()) { // added later it would take minutes
            attributes.addAll(attributes(IndexCheck.KEYS));
            create.globalSecondaryIndexes(IndexMaker.index(index.get()));
        }
        CreateTableRequest whole = create.attributeDefinitions(attributes).build();
        AwsRequests.await(calls.write("making table '" + name + "'", client -> client.createTable(whole)));
    }

    /** Of keys such as {@code number (N)}. */
    static List<AttributeDefinition> attributes(List<String> keys) {
        return keys.stream()
                .map(key -> AttributeDefinition.builder()
                        .attributeName(key.substring(0, key.indexOf(' ')))
                        .attributeType(key.endsWith("(N)") ? ScalarAttributeType.N : ScalarAttributeType.S)
                        .build())
                .toList();
    }

    /** The first is the partition's. */
    static List<KeySchemaElement> schema(List<String> keys) {
        return keys.stream()
                .map(key -> KeySchemaElement.builder()
                        .attributeName(key.substring(0, key.indexOf(' ')))
                        .keyType(key.equals(keys.get(0)) ? KeyType.HASH : KeyType.RANGE)
                        .build())
                .toList();
    }

    /** One attribute of a table can end an item's life; another than ours may end it too early. */
    private void limitLife(String name) {
        TimeToLiveDescription now = AwsRequests.await(calls.read(
                        "looking at the time to live of '" + name + "'",
                        client -> client.describeTimeToLive(describe -> describe.tableName(name))))
                .timeToLiveDescription();
        boolean on = now.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || now.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
        if (on && !LockItem.EXPIRY.equals(now.attributeName())) {
            throw new StoreUnusableException(
                    "Table '" + name + "' of " + calls.place() + " ends the life of items by '" + now.attributeName()
                            + "', which may remove what is still needed; turn that off, wait an hour, and run this again",
                    null);
        }
        if (!on) {
            AwsRequests.await(calls.write(
                    "setting the time to live of '" + name + "'",
                    client -> client.updateTimeToLive(update -> update.tableName(name)
                            .timeToLiveSpecification(life -> life.enabled(true).attributeName(LockItem.EXPIRY)))));
        }
    }

    private void drop(String name, List<String> keys) {
        Optional<TableDescription> there = find(name);
        if (there.isEmpty()) {
            return;
        }
        check().require(name, there.get(), keys);
        AwsRequests.await(calls.write(
                "removing table '" + name + "'", client -> client.deleteTable(delete -> delete.tableName(name))));
        await("table '" + name + "' is gone", patience, () -> find(name).isEmpty());
    }

    private Optional<TableDescription> find(String name) {
        return AwsRequests.await(check().find(name));
    }

    private static void await(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new StoreUnavailableException(
                        "Waited " + limit.toSeconds() + " s in vain until " + what + "; look at it in the AWS console",
                        null);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException("interrupted while waiting until " + what, e);
            }
        }
    }
}
