package dev.holdfast.dynamodb.locks;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.aws.SingleWrites;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Records as items of one table.
 *
 * <pre>
 *   read    GetItem, consistent
 *   write   UpdateItem or DeleteItem with a condition, one per record, all at once; what was refused comes with the refusal
 *   scan    Scan of the whole table, consistent, sorted here; of one namespace, Query of the index if there is one
 *   clock   the Date header of every answer; to measure, GetItem of nothing
 * </pre>
 */
public sealed class DynamoRecordStore implements RecordStore permits DynamoHistoryStore {
    /** Batches under way at once, and writes in one: each is a request of its own, and a slow one keeps only its batch. */
    private static final int WRITERS = 16;

    private static final int MAX_BATCH = 16;

    final TableRequests calls;
    private final LockItem items;
    private final Listings listings;
    private final StoreTraits traits;
    private final Runnable afterClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * How to use the table.
     *
     * @param pollInterval how often a process with waiters looks
     * @param retention how long DynamoDB keeps the item of a lock nobody uses
     * @param historyRetention how long it keeps an event
     * @param index from what listings of one namespace are read; empty: from the table
     */
    public record Use(Duration pollInterval, Duration retention, Duration historyRetention, Optional<String> index) {}

    public DynamoRecordStore(TableRequests calls, Use use, Runnable afterClose) {
        this.calls = calls;
        this.items = new LockItem(calls.place(), new TimeToLive(use.retention()));
        this.listings = new Listings(calls, items, use.index());
        this.traits = StoreTraits.of("dynamodb", use.pollInterval())
                .withWriters(WRITERS)
                .withMaxBatch(MAX_BATCH)
                .withRestingPoll(use.pollInterval().multipliedBy(4));
        this.afterClose = afterClose;
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return current(key);
    }

    private CompletableFuture<Optional<Versioned>> current(RecordKey key) {
        return calls.read(
                        "reading lock '" + key.name() + "'",
                        client -> client.getItem(
                                get -> get.tableName(calls.place().table())
                                        .key(LockItem.key(key))
                                        .consistentRead(true)))
                .thenApply(found -> found.hasItem() ? stored(found.item()) : Optional.empty());
    }

    private Optional<Versioned> stored(Map<String, AttributeValue> item) {
        return item.isEmpty() ? Optional.empty() : Optional.of(items.stored(item));
    }

    // ---- writing

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return SingleWrites.of(writes, this::one);
    }

    private CompletableFuture<WriteResult> one(Write write) {
        CompletableFuture<WriteResult> result = written(write);
        return write.events().isEmpty()
                ? result
                : result.thenApply(became -> {
                    if (became instanceof WriteResult.Applied) {
                        happened(write.events());
                    }
                    return became;
                });
    }

    /** These events belong to what was just written. */
    void happened(List<LockEvent> events) {}

    private CompletableFuture<WriteResult> written(Write write) {
        String doing = "writing lock '" + write.key().name() + "'";
        if (write.precondition() instanceof Precondition.Stamped stamped) {
            if (stamped.notBefore().isPresent()
                    && !calls.clock().hasReached(stamped.notBefore().get())) {
                return tooEarly(write.key(), stamped);
            }
            if (write.record().isEmpty()) {
                return orRefused(calls.write(
                                doing,
                                client -> client.deleteItem(
                                        ConditionalWrite.delete(calls.place().table(), write, stamped)))
                        .thenApply(done -> WriteResult.Applied.PLAIN));
            }
        }
        return orRefused(calls.write(
                        doing,
                        client -> client.updateItem(
                                ConditionalWrite.update(calls.place().table(), items, write)))
                .thenApply(done -> applied(write, done)));
    }

    /** DynamoDB compares no times, so its clock is asked here. */
    private CompletableFuture<WriteResult> tooEarly(RecordKey key, Precondition.Stamped stamped) {
        return current(key)
                .thenApply(there ->
                        there.isPresent() && there.get().record().stamp().equals(stamped.stamp())
                                ? new WriteResult.TooEarly()
                                : new WriteResult.Refused(there));
    }

    /** A refused condition brings the item as it is. */
    private CompletableFuture<WriteResult> orRefused(CompletableFuture<WriteResult> write) {
        return write.exceptionallyCompose(failure -> {
            if (!(AwsFailures.cause(failure) instanceof ConditionalCheckFailedException refused)) {
                return CompletableFuture.failedFuture(AwsFailures.cause(failure));
            }
            try {
                return CompletableFuture.completedFuture(
                        new WriteResult.Refused(refused.hasItem() ? stored(refused.item()) : Optional.empty()));
            } catch (StoreUnusableException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** Where an idle record was replaced unseen, tells what it remembers: that stayed. */
    private static WriteResult applied(Write write, UpdateItemResponse done) {
        Stamp written = write.record().orElseThrow().stamp();
        Optional<CentralHold> beside =
                CentralHold.leftBy(write.precondition(), write.record().orElseThrow());
        if (beside.isPresent()) {
            return new WriteResult.Applied(beside.get().under(written).tag(), Optional.empty());
        }
        AttributeValue past = done.hasAttributes() ? done.attributes().get(LockItem.PAST) : null;
        if (past == null || past.s() == null) {
            return WriteResult.Applied.PLAIN;
        }
        try {
            return new WriteResult.Applied("", Optional.of(PastJson.read(past.s())));
        } catch (IOException | IllegalArgumentException e) {
            // It is written already; reading it again tells what is wrong with it, and grants nothing.
            throw new OutcomeUnknownException(
                    "What lock '" + write.key().name() + "' in '" + write.key().namespace()
                            + "' remembers cannot be read; repair its attribute 'past' from a backup, or remove it when no"
                            + " late duplicate of a request can come",
                    e);
        }
    }

    // ---- the rest

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        try {
            return listings.page(request);
        } catch (IllegalArgumentException e) { // a cursor of somebody else
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public StoreClock clock() {
        return calls.clock().clock();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            beforeClose();
            calls.close();
            afterClose.run();
        }
    }

    /** What is still to be done while requests can be made. */
    void beforeClose() {}
}
