package dev.holdfast.dynamodb;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A store of which a test knows when nothing is under way. Its events are there when the write is, so that another client sees
 * them too.
 */
final class Settling implements RecordStore, EventLog {
    /** What is under way, of all clients of the same data. */
    static final class Traffic {
        private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);
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

        private <T> CompletionStage<T> count(Supplier<CompletionStage<T>> request) {
            add(1);
            return request.get().whenComplete((value, failure) -> add(-1));
        }
    }

    private final RecordStore store;
    private final DynamoHistoryStore log;
    private final Traffic traffic;

    Settling(RecordStore store, Traffic traffic) {
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
