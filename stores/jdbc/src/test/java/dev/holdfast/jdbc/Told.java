package dev.holdfast.jdbc;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A store whose clients poll, in a time that stands still while a test waits: it takes the place of the polls, and tells all
 * clients of each change as if they had just looked. That polling works is tested in real time.
 */
public final class Told implements RecordStore, EventLog, Watchable {
    /** Those who are told, shared by all clients of the same data. */
    public static final class Listeners extends CopyOnWriteArrayList<Consumer<RecordKey>> {
        private static final long serialVersionUID = 1;
    }

    private final RecordStore store;
    private final EventLog log;
    private final Listeners listeners;

    public <S extends RecordStore> Told(S store, Listeners listeners) {
        this.store = store;
        this.log = (EventLog) store;
        this.listeners = listeners;
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        CompletionStage<List<WriteResult>> written = store.write(writes);
        return written.thenApply(results -> {
            for (Write write : writes) {
                listeners.forEach(listener -> listener.accept(write.key()));
            }
            return results;
        });
    }

    @Override
    public Watch watch(Consumer<RecordKey> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return store.read(key);
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return store.scan(request);
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        return log.events(query);
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> events) {
        return log.importAll(events);
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        return log.forget(before, limit);
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
    public void close() {
        store.close();
    }
}
