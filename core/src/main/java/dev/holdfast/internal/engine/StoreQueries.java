package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.EngineMeter.Operation;
import dev.holdfast.internal.engine.machine.ListingPermits;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.MeasuredClock;
import dev.holdfast.spi.time.StoreClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looking at the store: what is there, what happened, what time it is. Each answer comes within the time of an operation, or fails. */
final class StoreQueries {
    private static final Logger LOG = LoggerFactory.getLogger(StoreQueries.class);

    private final EngineParts parts;
    private final RecordStore store;
    private final ListingPermits listings = new ListingPermits();
    private volatile boolean closed;

    StoreQueries(EngineParts parts) {
        this.parts = parts;
        this.store = parts.store();
    }

    CompletableFuture<Optional<LockRecord>> read(RecordKey key) {
        return call(Operation.READ, () -> store.read(key).thenApply(found -> found.map(Versioned::record)));
    }

    CompletableFuture<Page> scan(ScanRequest request) {
        return call(Operation.SCAN, () -> store.scan(request));
    }

    CompletableFuture<List<EventLog.StoredEvent>> events(EventLog.EventQuery query) {
        return store instanceof EventLog log
                ? call(Operation.EVENTS, () -> log.events(query))
                : CompletableFuture.completedFuture(List.of());
    }

    CompletableFuture<StoreClock.Reading> now() {
        return store.clock()
                .now()
                .map(CompletableFuture::completedFuture)
                .orElseGet(() ->
                        measureClock().thenApply(done -> store.clock().now().orElseThrow()));
    }

    /** Measures the clock of the store now and again and again, until closed. */
    void keepMeasuring() {
        if (closed) {
            return;
        }
        Stages.then(measureClock(), (done, failure) -> {
            if (failure != null && !closed) {
                LOG.debug("The store's clock could not be measured", failure);
            }
            parts.machine().after(MeasuredClock.MEASURE_EVERY, this::keepMeasuring);
        });
    }

    void close() {
        closed = true;
    }

    private CompletableFuture<Void> measureClock() {
        CompletableFuture<Void> told = new CompletableFuture<>();
        parts.io(
                Calling.ASYNC,
                () -> Stages.then(Stages.from(() -> store.clock().measure()), (done, failure) -> {
                    if (failure != null) {
                        told.completeExceptionally(failure);
                    } else {
                        told.complete(null);
                    }
                }));
        return told;
    }

    private <T> CompletableFuture<T> call(Operation operation, Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Machine.Timer timeUp = parts.machine()
                .after(parts.config().operationTimeout(), () -> told.completeExceptionally(parts.late()));
        Runnable ask = () -> parts.io(
                Calling.ASYNC,
                () -> Stages.then(parts.measured(operation, 1, request), (value, failure) -> {
                    timeUp.cancel();
                    if (failure != null) {
                        told.completeExceptionally(failure);
                    } else {
                        told.complete(value);
                    }
                    if (operation != Operation.READ) {
                        listings.done();
                    }
                }));
        if (operation == Operation.READ) {
            ask.run();
        } else if (!listings.run(() -> !told.isDone(), ask)) {
            timeUp.cancel();
            told.completeExceptionally(new StoreUnavailableException(
                    "Too many listings of the " + parts.traits().name() + " store are queued; ask again later", null));
        }
        return told;
    }
}
