package dev.holdfast.dynamodb;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * A store of which a test knows when nothing is under way. Its events are there when the write is, so that another client sees
 * them too.
 */
final class Settling implements RecordStore, EventLog {
    /** What is under way, of all clients of the same data. */
    static final class Traffic {
        private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);
        private volatile boolean timePasses;
        private int underWay;
        private long changed = System.nanoTime();

        private synchronized void add(int more) {
            underWay += more;
            changed = System.nanoTime();
        }

        private synchronized boolean rests() {
            return underWay == 0 && System.nanoTime() - changed > QUIET;
        }

        void awaitRest() {
            long end = System.nanoTime() + LIMIT;
            while (!rests() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(100_000);
            }
        }

        /** While time passes each request ends before time goes on: a timer and what follows from it have one time. */
        void whileTimePasses(Runnable passing) {
            awaitRest();
            timePasses = true;
            try {
                passing.run();
            } finally {
                timePasses = false;
            }
            awaitRest();
        }

        private <T> CompletionStage<T> count(Supplier<CompletionStage<T>> request) {
            add(1);
            CompletionStage<T> answer = request.get().whenComplete((value, failure) -> add(-1));
            CompletableFuture<T> future = answer.toCompletableFuture();
            long end = System.nanoTime() + LIMIT;
            while (timePasses && !future.isDone() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(100_000);
            }
            return answer;
        }
    }

    private static final SdkHttpResponse TELLS_TIME =
            SdkHttpResponse.builder().statusCode(200).build();

    private final RecordStore store;
    private final DynamoHistoryStore log;
    private final Traffic traffic;
    private final LocalTime time;

    Settling(RecordStore store, Traffic traffic, LocalTime time) {
        this.time = time;
        this.store = store;
        this.log = (DynamoHistoryStore) store;
        this.traffic = traffic;
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return traffic.count(() ->
                store.write(writes).thenCompose(results -> log.eventsStored().thenApply(stored -> results)));
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return traffic.count(() -> store.read(key));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return traffic.count(() -> store.scan(request));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        return traffic.count(() -> log.events(query));
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> events) {
        return traffic.count(() -> log.importAll(events));
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        return traffic.count(() -> log.forget(before, limit));
    }

    @Override
    public StoreClock clock() {
        StoreClock clock = store.clock();
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return clock.now();
            }

            @Override
            public CompletionStage<Void> measure() {
                if (traffic.timePasses) { // every ten seconds of days: too much for a real server
                    log.calls.clock.answered(Anchor.of(time), TELLS_TIME);
                    return CompletableFuture.completedStage(null);
                }
                return traffic.count(clock::measure);
            }
        };
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public void close() {
        store.close();
    }
}
