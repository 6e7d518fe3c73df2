package dev.holdfast.server;

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
import io.vertx.core.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A store that says its methods block, and remembers which were called, and which of them on an event loop. */
final class WatchedStore implements RecordStore, EventLog, Watchable {
    private final MemoryStore store;
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private volatile CompletableFuture<Void> heldBack = CompletableFuture.completedFuture(null);
    private final Set<String> onEventLoop = ConcurrentHashMap.newKeySet();

    WatchedStore(MemoryStore store) {
        this.store = store;
    }

    /** Tells what happened after a number only when this is complete, as a store does that is slow, or waits for one to commit. */
    void holdBack(CompletableFuture<Void> until) {
        heldBack = until;
    }

    /** Every method called so far. */
    Set<String> called() {
        return Set.copyOf(calls.keySet());
    }

    int timesCalled(String method) {
        return calls.getOrDefault(method, 0);
    }

    /** Those called on an event loop, with the way there. */
    Set<String> calledOnEventLoop() {
        return Set.copyOf(onEventLoop);
    }

    private void called(String method) {
        calls.merge(method, 1, Integer::sum);
        if (Context.isOnEventLoopThread()) {
            onEventLoop.add(method + " from "
                    + StackWalker.getInstance()
                            .walk(frames -> frames.filter(
                                            frame -> frame.getClassName().startsWith("dev.holdfast.server.routes"))
                                    .findFirst()
                                    .map(Object::toString)
                                    .orElse("elsewhere")));
        }
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        called("read");
        return store.read(key);
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        called("write");
        return store.write(writes);
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        called("scan");
        return store.scan(request);
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        called("events");
        called(query.after().isPresent() ? "events from a number on" : "newest events");
        return query.after().isPresent() ? heldBack.thenCompose(told -> store.events(query)) : store.events(query);
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> events) {
        called("importAll");
        return store.importAll(events);
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        called("forget");
        return store.forget(before, limit);
    }

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        called("watch");
        return store.watch(engine, heard);
    }

    @Override
    public StoreClock clock() {
        StoreClock clock = store.clock();
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return clock.now(); // never blocks, on any store
            }

            @Override
            public CompletionStage<Void> measure() {
                called("measure");
                return clock.measure();
            }
        };
    }

    @Override
    public StoreTraits traits() {
        return store.traits().withBlocking(true);
    }

    @Override
    public void close() {
        called("close");
        store.close();
    }
}
