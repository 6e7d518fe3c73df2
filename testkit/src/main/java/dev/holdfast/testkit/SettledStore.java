package dev.holdfast.testkit;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A store whose answers take time and whose clients poll, in a time that stands still while a test waits: each answer is there before
 * time goes on, and all clients are told of each change as if they had just looked. That it works without is tested in real
 * time.
 */
public class SettledStore implements RecordStore, Watchable {
    /** Engines measure every ten seconds. A test lets days pass, in which that would be ten thousand requests. */
    private static final Duration EXACT = Duration.ofMillis(200);

    private final RecordStore store;
    private final List<Consumer<RecordKey>> listeners;

    private SettledStore(RecordStore store, List<Consumer<RecordKey>> listeners) {
        this.store = store;
        this.listeners = listeners;
    }

    /** One client of the data whose clients share these listeners; with a history, if the store has one. */
    public static RecordStore of(RecordStore store, List<Consumer<RecordKey>> listeners) {
        return store instanceof EventLog log
                ? new WithHistory(store, log, listeners)
                : new SettledStore(store, listeners);
    }

    private static final class WithHistory extends SettledStore implements EventLog {
        private final EventLog log;

        private WithHistory(RecordStore store, EventLog log, List<Consumer<RecordKey>> listeners) {
            super(store, listeners);
            this.log = log;
        }

        @Override
        public CompletionStage<List<StoredEvent>> events(EventQuery query) {
            return settled(log.events(query));
        }

        @Override
        public CompletionStage<Void> importAll(List<StoredEvent> events) {
            return settled(log.importAll(events));
        }

        @Override
        public CompletionStage<Integer> forget(Instant before, int limit) {
            return settled(log.forget(before, limit));
        }

        @Override
        public long lost() {
            return log.lost();
        }
    }

    private static <T> CompletionStage<T> settled(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            return CompletableFuture.completedFuture(future.join());
        } catch (CompletionException e) {
            return CompletableFuture.failedFuture(e.getCause() == null ? e : e.getCause());
        } catch (CancellationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return settled(store.write(writes)).thenApply(results -> {
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
        return settled(store.read(key));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return settled(store.scan(request));
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
                boolean exact = clock.now()
                        .filter(time ->
                                Duration.between(time.earliest(), time.latest()).compareTo(EXACT) < 0)
                        .isPresent();
                return exact ? CompletableFuture.completedFuture(null) : settled(clock.measure());
            }
        };
    }

    @Override
    public StoreTraits traits() {
        StoreTraits own = store.traits(); // who is told of everything does not get slow at looking
        return own.withBlocking(true).withRestingPoll(own.pollInterval());
    }

    @Override
    public void close() {
        store.close();
    }
}
