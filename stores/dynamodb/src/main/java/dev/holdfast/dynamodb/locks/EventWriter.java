package dev.holdfast.dynamodb.locks;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Stores events behind the writes they belong to, without holding those up: what happened while one group was stored is
 * the next. A group takes its numbers from one counter for all processes, so they grow and have no gaps but for what was lost.
 * What cannot be stored in a few attempts, or does not fit into the memory kept for it, is lost and counted.
 */
final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    /** As many as one request takes. */
    static final int GROUP = 25;
    /** More than a process has in a few seconds; about ten megabytes. */
    private static final int MAX_WAITING = 10_000;

    private static final int ATTEMPTS = 5;
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** One line in the log for so many lost events. */
    private static final int SAY_EVERY = 1_000;

    private final TableRequests calls;
    private final Duration retention;
    private final Deque<LockEvent> waiting = new ArrayDeque<>();
    private final AtomicLong lost = new AtomicLong();
    private CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);
    private boolean running;

    EventWriter(TableRequests calls, Duration retention) {
        this.calls = calls;
        this.retention = retention;
    }

    /** These happened. Returns at once. */
    void add(List<LockEvent> events) {
        synchronized (this) {
            if (waiting.size() + events.size() > MAX_WAITING) {
                lose(events.size(), null);
                return;
            }
            waiting.addAll(events);
            if (running) {
                return;
            }
            running = true;
            storing = new CompletableFuture<>();
        }
        next();
    }

    /** Completes when everything added so far is stored or lost. */
    synchronized CompletableFuture<Void> stored() {
        return storing;
    }

    long lost() {
        return lost.get();
    }

    private void next() {
        List<LockEvent> group = new ArrayList<>(GROUP);
        CompletableFuture<Void> done;
        synchronized (this) {
            while (!waiting.isEmpty() && group.size() < GROUP) {
                group.add(waiting.removeFirst());
            }
            running = !group.isEmpty();
            done = storing;
        }
        if (group.isEmpty()) {
            done.complete(null);
            return;
        }
        // A stage, not a future: nobody waits for what comes after it.
        CompletionStage<Void> stored =
                attempt(() -> number(group), 1).thenCompose(numbered -> attempt(() -> store(numbered), 1));
        stored.whenComplete((nothing, failure) -> {
            if (failure != null) {
                lose(group.size(), AwsFailures.cause(failure));
            }
            next();
        });
    }

    private static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> step, int attempt) {
        return step.get().exceptionallyCompose(failure -> {
            if (attempt >= ATTEMPTS) {
                return CompletableFuture.failedFuture(AwsFailures.cause(failure));
            }
            Executor later = CompletableFuture.delayedExecutor(
                    PAUSE.multipliedBy(attempt).toMillis(), TimeUnit.MILLISECONDS);
            return CompletableFuture.runAsync(() -> {}, later).thenCompose(now -> attempt(step, attempt + 1));
        });
    }

    /** Takes numbers for them. An answer that got lost leaves a gap. */
    private CompletableFuture<List<WriteRequest>> number(List<LockEvent> group) {
        return calls.write(
                        "numbering events",
                        client -> client.updateItem(
                                update -> update.tableName(calls.place().eventTable())
                                        .key(EventItem.COUNTER)
                                        .updateExpression("ADD #last :count")
                                        .expressionAttributeNames(Map.of("#last", EventItem.LAST))
                                        .expressionAttributeValues(Map.of(":count", LockItem.number(group.size())))
                                        .returnValues(ReturnValue.UPDATED_NEW)))
                .thenApply(counted -> {
                    long last = EventItem.last(counted.attributes());
                    List<WriteRequest> puts = new ArrayList<>(group.size());
                    for (int i = 0; i < group.size(); i++) {
                        StoredEvent event = new StoredEvent(last - group.size() + 1 + i, group.get(i));
                        puts.add(WriteRequest.builder()
                                .putRequest(put -> put.item(EventItem.of(event, retention)))
                                .build());
                    }
                    return puts;
                });
    }

    /** Stores them under their numbers; twice does no harm. */
    private CompletableFuture<Void> store(List<WriteRequest> puts) {
        String table = calls.place().eventTable();
        return calls.write(
                        "storing events",
                        client -> client.batchWriteItem(batch -> batch.requestItems(Map.of(table, puts))))
                .thenCompose(answer -> {
                    List<WriteRequest> left = answer.unprocessedItems().getOrDefault(table, List.of());
                    return left.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(new IllegalStateException(
                                    left.size() + " events were put off: the table takes no more for now"));
                });
    }

    private void lose(int count, @Nullable Throwable why) {
        long before = lost.getAndAdd(count);
        if (before / SAY_EVERY < (before + count) / SAY_EVERY || before == 0) {
            LOG.warn(
                    "{} events could not be stored in '{}' so far; the locks are not affected: {}",
                    before + count,
                    calls.place().eventTable(),
                    why == null ? "they happen faster than they can be stored" : why.getMessage());
        }
    }
}
