package dev.holdfast.testkit;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store whose line fails as told: the next calls of a kind meet a {@link Fault}, or the line is {@link #cut()} until
 * {@link #heal()}. It can what the store behind it can. Counts the calls. Safe for any thread.
 */
public class FaultyStore implements RecordStore, StoreFixture.Line {
    /** What is called. */
    public enum Call {
        /** {@link RecordStore#read}. */
        READ,
        /** {@link RecordStore#write}, and {@link EventLog#importAll}. */
        WRITE,
        /** {@link RecordStore#scan}. */
        SCAN,
        /** {@link StoreClock#measure}. */
        MEASURE,
        /** Reading and forgetting in an {@link EventLog}. */
        EVENTS
    }

    /** What becomes of a call. */
    public enum Fault {
        /** Never sent: {@link StoreUnavailableException}. */
        UNAVAILABLE,
        /** Never arrived, but nobody can know: {@link OutcomeUnknownException}. */
        REQUEST_LOST,
        /** Done, but the answer did not come back: {@link OutcomeUnknownException}. */
        ANSWER_LOST,
        /** Under way until {@link FaultyStore#letGo()}, then done. */
        HANG,
        /** Nothing: as if there were no fault. */
        NONE
    }

    private final RecordStore store;
    private final Map<Call, Deque<Fault>> plan = new EnumMap<>(Call.class);
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private List<Runnable> hanging = new ArrayList<>();
    private Duration delay = Duration.ZERO;
    private boolean cut;
    private boolean deaf;

    private FaultyStore(RecordStore store) {
        this.store = store;
    }

    /** Faults before this store. */
    public static FaultyStore of(RecordStore store) {
        if (store instanceof EventLog log) {
            return store instanceof Watchable watchable
                    ? new LoggingAndTelling(store, log, watchable)
                    : new Logging(store, log);
        }
        return store instanceof Watchable watchable ? new Telling(store, watchable) : new FaultyStore(store);
    }

    // ---- telling it what to do

    /** After the faults planned before, the next {@code calls} of this kind meet this one. */
    public synchronized void next(Call kind, int calls, Fault fault) {
        Deque<Fault> faults = plan.computeIfAbsent(kind, k -> new ArrayDeque<>());
        for (int i = 0; i < calls; i++) {
            faults.addLast(fault);
        }
    }

    /** Nothing reaches the store, and no hint comes from it, until {@link #heal()}. */
    @Override
    public synchronized void cut() {
        cut = true;
    }

    /** The line works again, and planned faults are forgotten. */
    @Override
    public synchronized void heal() {
        cut = false;
        plan.clear();
    }

    /** From now on hints about changes get lost, as they may. */
    public synchronized void loseHints() {
        deaf = true;
    }

    /** From now on every answer takes this much longer, in real time. */
    public synchronized void slow(Duration by) {
        delay = by;
    }

    /** Lets the hanging calls go on to the store, oldest first. */
    public void letGo() {
        List<Runnable> all;
        synchronized (this) {
            all = hanging;
            hanging = new ArrayList<>();
        }
        all.forEach(Runnable::run);
    }

    /** How many calls hang. */
    public synchronized int hanging() {
        return hanging.size();
    }

    /** How many calls of this kind came, whatever became of them. */
    public synchronized int calls(Call kind) {
        return counts.getOrDefault(kind, 0);
    }

    // ---- the faults

    private <T> CompletionStage<T> call(Call kind, Supplier<CompletionStage<T>> request) {
        CompletionStage<T> answer = answer(kind, request);
        Duration by;
        synchronized (this) {
            by = delay;
        }
        if (by.isZero()) {
            return answer;
        }
        Executor later = CompletableFuture.delayedExecutor(by.toNanos(), TimeUnit.NANOSECONDS);
        return answer.thenApplyAsync(value -> value, later);
    }

    private <T> CompletionStage<T> answer(Call kind, Supplier<CompletionStage<T>> request) {
        switch (fault(kind)) {
            case UNAVAILABLE -> {
                return CompletableFuture.failedStage(new StoreUnavailableException("The line is cut", null));
            }
            case REQUEST_LOST -> {
                return CompletableFuture.failedStage(new OutcomeUnknownException("The request got lost", null));
            }
            case ANSWER_LOST -> {
                return request.get().thenCompose(done -> {
                    throw new OutcomeUnknownException("The answer got lost", null);
                });
            }
            case HANG -> {
                return hang(request);
            }
            case NONE -> {
                return request.get();
            }
        }
        throw new IllegalStateException("not reached: every fault is above");
    }

    private synchronized Fault fault(Call kind) {
        counts.merge(kind, 1, Integer::sum);
        Deque<Fault> faults = plan.get(kind);
        if (cut) {
            return Fault.UNAVAILABLE;
        }
        return faults == null || faults.isEmpty() ? Fault.NONE : faults.removeFirst();
    }

    private synchronized <T> CompletionStage<T> hang(Supplier<CompletionStage<T>> request) {
        CompletableFuture<CompletionStage<T>> released = new CompletableFuture<>();
        hanging.add(() -> released.complete(request.get()));
        return released.thenCompose(stage -> stage);
    }

    private synchronized boolean isDeaf() {
        return cut || deaf;
    }

    // ---- the store

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return call(Call.READ, () -> store.read(key));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        List<Write> sent = List.copyOf(writes);
        return call(Call.WRITE, () -> store.write(sent));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return call(Call.SCAN, () -> store.scan(request));
    }

    @Override
    public StoreClock clock() {
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return store.clock().now();
            }

            @Override
            public CompletionStage<Void> measure() {
                return call(Call.MEASURE, () -> store.clock().measure());
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

    private static class Logging extends FaultyStore implements EventLog {
        private final EventLog log;

        Logging(RecordStore store, EventLog log) {
            super(store);
            this.log = log;
        }

        @Override
        public CompletionStage<List<StoredEvent>> events(EventQuery query) {
            return super.call(Call.EVENTS, () -> log.events(query));
        }

        @Override
        public CompletionStage<Void> importAll(List<StoredEvent> events) {
            return super.call(Call.WRITE, () -> log.importAll(events));
        }

        @Override
        public CompletionStage<Integer> forget(Instant before, int limit) {
            return super.call(Call.EVENTS, () -> log.forget(before, limit));
        }
    }

    private static final class Telling extends FaultyStore implements Watchable {
        private final Watchable watchable;

        Telling(RecordStore store, Watchable watchable) {
            super(store);
            this.watchable = watchable;
        }

        @Override
        public Watch watch(Consumer<RecordKey> changed) {
            return watchable.watch(key -> {
                if (!((FaultyStore) this).isDeaf()) {
                    changed.accept(key);
                }
            });
        }
    }

    private static final class LoggingAndTelling extends Logging implements Watchable {
        private final Watchable watchable;

        LoggingAndTelling(RecordStore store, EventLog log, Watchable watchable) {
            super(store, log);
            this.watchable = watchable;
        }

        @Override
        public Watch watch(Consumer<RecordKey> changed) {
            return watchable.watch(key -> {
                if (!((FaultyStore) this).isDeaf()) {
                    changed.accept(key);
                }
            });
        }
    }
}
