package dev.holdfast.dynamodb.locks;

import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** A store with a second table for events. They are stored behind the locks, best effort: see {@link EventWriter}. */
public non-sealed class DynamoHistoryStore extends DynamoRecordStore implements EventLog {
    /** How long a store that is closed waits for events still to be stored. */
    private static final long CLOSE_MILLIS = 2_000;

    private final EventWriter writer;
    private final EventImport imports;

    public DynamoHistoryStore(TableRequests calls, Use use, Runnable afterClose) {
        super(calls, use, afterClose);
        this.writer = new EventWriter(calls, use.historyRetention());
        this.imports = new EventImport(calls, use.historyRetention());
    }

    @Override
    void happened(List<LockEvent> events) {
        writer.add(events);
    }

    @Override
    public long lost() {
        return writer.lost();
    }

    /** Who reads the history has read what was written here before. */
    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        return writer.stored().thenCompose(stored -> new EventReader(calls, query).find());
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        EventQuery oldest = EventQuery.after(0, limit);
        return writer.stored()
                .thenCompose(stored -> new EventReader(calls, oldest).find())
                .thenCompose(found -> delete(
                        found.stream()
                                .filter(event -> event.event().at().isBefore(before))
                                .map(DynamoHistoryStore::delete)
                                .toList(),
                        0));
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> imported) {
        return writer.stored().thenCompose(stored -> imports.run(imported));
    }

    private static WriteRequest delete(StoredEvent event) {
        return WriteRequest.builder()
                .deleteRequest(delete -> delete.key(EventItem.key(event.number())))
                .build();
    }

    /** What is put off stays until the next time. */
    private CompletableFuture<Integer> delete(List<WriteRequest> deletes, int gone) {
        if (deletes.isEmpty()) {
            return CompletableFuture.completedFuture(gone);
        }
        String table = calls.place().eventTable();
        List<WriteRequest> now = deletes.subList(0, Math.min(EventWriter.GROUP, deletes.size()));
        List<WriteRequest> later = new ArrayList<>(deletes.subList(now.size(), deletes.size()));
        return calls.write(
                        "forgetting old events",
                        client -> client.batchWriteItem(batch -> batch.requestItems(Map.of(table, now))))
                .thenCompose(answer -> {
                    int left = Optional.ofNullable(answer.unprocessedItems().get(table))
                            .map(List::size)
                            .orElse(0);
                    return delete(later, gone + now.size() - left);
                });
    }

    @Override
    void beforeClose() {
        try {
            writer.stored().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Best effort; those not stored by now are lost with this process.
        }
    }
}
