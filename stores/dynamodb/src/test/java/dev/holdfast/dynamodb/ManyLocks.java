package dev.holdfast.dynamodb;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Writes many locks at once: copies of a held one and of a free one. */
public final class ManyLocks {
    /** As many as one request takes. */
    private static final int GROUP = 25;

    private final String table;
    private final Map<String, AttributeValue> held;
    private final Map<String, AttributeValue> free;

    public ManyLocks(String table) throws InterruptedException {
        this.table = table;
        try (LockClient locks = Locks.plain(table, Dynamo.port())) {
            try (Lease lease = locks.acquire("pattern", o -> o.lease(Duration.ofHours(1)))) {
                held = Dynamo.item(table, "default:pattern");
            }
            free = Dynamo.item(table, "default:pattern");
        }
        Dynamo.client()
                .deleteItem(
                        delete -> delete.tableName(table).key(LockItem.key(AttributeValue.fromS("default:pattern"))))
                .join();
    }

    /** Every third of these is free. */
    public void write(List<RecordKey> keys) {
        List<WriteRequest> group = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Map<String, AttributeValue> item = new HashMap<>(i % 3 == 0 ? free : held);
            item.putAll(LockItem.key(keys.get(i)));
            item.put(LockItem.NAMESPACE, AttributeValue.fromS(keys.get(i).namespace()));
            item.put(LockItem.NAME, AttributeValue.fromS(keys.get(i).name()));
            group.add(WriteRequest.builder().putRequest(put -> put.item(item)).build());
            if (group.size() == GROUP || i + 1 == keys.size()) {
                List<WriteRequest> all = List.copyOf(group);
                Dynamo.client()
                        .batchWriteItem(batch -> batch.requestItems(Map.of(table, all)))
                        .join();
                group.clear();
            }
        }
    }
}
