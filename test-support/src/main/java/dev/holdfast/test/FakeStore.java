package dev.holdfast.test;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The store as one process sees it: over a line that can be cut. */
record FakeStore(MemoryStore store, Line line, FakeMachine machine) implements RecordStore, EventLog, Watchable {
    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> there) {
        Optional<RuntimeException> failure = line.failure();
        return failure.isPresent() ? CompletableFuture.failedFuture(failure.get()) : there.get();
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return call(() -> store.read(key));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return call(() -> store.write(writes));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return call(() -> store.scan(request));
    }

    @Override
    public StoreClock clock() {
        return store.clock();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        return call(() -> store.events(query));
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> events) {
        return call(() -> store.importAll(events));
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        return call(() -> store.forget(before, limit));
    }

    /** Neither a cut line nor a process that stands still brings news. */
    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        return store.watch(engine, hint -> {
            if (line.fault().isEmpty() && !machine.isStill()) {
                heard.accept(hint);
            }
        });
    }

    /** The other processes go on using it. */
    @Override
    public void close() {}
}
