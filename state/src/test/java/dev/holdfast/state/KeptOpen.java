package dev.holdfast.state;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store that several clients use, and none closes. */
final class KeptOpen implements RecordStore, Watchable {
    private final MemoryStore store;

    KeptOpen(MemoryStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return store.read(key);
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return store.write(writes);
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return store.scan(request);
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
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        return store.watch(engine, heard);
    }

    @Override
    public void close() {}
}
