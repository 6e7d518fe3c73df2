package dev.holdfast.testkit;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A store whose clock, or whose calls, are bent; it neither tells of changes nor keeps events. */
final class BentStore implements RecordStore {
    private final RecordStore store;
    UnaryOperator<StoreClock.Reading> clock = UnaryOperator.identity();
    Runnable beforeRead = () -> {};
    Runnable beforeWrite = () -> {};
    /** Takes a call to the store and its answer back. */
    Way way = new Way() {
        @Override
        public <T> CompletionStage<T> there(Supplier<CompletionStage<T>> call) {
            return call.get();
        }
    };

    int reads;
    int writes;

    /** How a call reaches the store. */
    interface Way {
        <T> CompletionStage<T> there(Supplier<CompletionStage<T>> call);
    }

    BentStore(RecordStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        reads++;
        beforeRead.run();
        return way.there(() -> store.read(key));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> some) {
        writes++;
        beforeWrite.run();
        return way.there(() -> store.write(some));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return store.scan(request);
    }

    @Override
    public StoreClock clock() {
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return store.clock().now().map(clock);
            }

            @Override
            public CompletionStage<Void> measure() {
                return store.clock().measure();
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
