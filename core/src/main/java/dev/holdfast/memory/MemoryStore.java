package dev.holdfast.memory;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records in a map. Gone when the process ends, and with it the tokens: after a restart they continue above the clock.
 *
 * <p>Several engines may share one object; it then behaves like a remote store, with notifications. Its clock runs on the
 * monotonic clock from the wall time at which it was made.
 */
public final class MemoryStore implements RecordStore, EventLog, Watchable {
    /** Events kept; older ones are dropped. */
    public static final int MAX_EVENTS = 10_000;
    /** Writes that may run at once: they do not wait for anything. */
    private static final int WRITERS = 1_024;

    private static final int MAX_BATCH = 256;

    private final Map<RecordKey, LockRecord> records = new ConcurrentHashMap<>();
    /** The keys in order, for listing. Changes only when a record comes or goes. */
    private final NavigableSet<RecordKey> keys = new ConcurrentSkipListSet<>();

    private final Deque<StoredEvent> events = new ArrayDeque<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final LocalTime local;
    private final long startNanos;
    private final Instant startWall;
    private final StoreTraits traits;
    private long lastNumber;
    private volatile boolean closed;

    private MemoryStore(LocalTime local, boolean exclusive) {
        this.local = local;
        this.startNanos = local.nanos();
        this.startWall = Times.ofMicros(Times.micros(local.wall()));
        this.traits = StoreTraits.of("memory", Duration.ofSeconds(1))
                .withExclusive(exclusive)
                .withWriters(WRITERS)
                .withMaxBatch(MAX_BATCH);
    }

    /** A store for one engine. */
    public static MemoryStore exclusive() {
        return new MemoryStore(LocalTime.SYSTEM, true);
    }

    /** A store several engines may use, on this clock. */
    public static MemoryStore shared(LocalTime local) {
        return new MemoryStore(local, false);
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        return CompletableFuture.completedFuture(
                Optional.ofNullable(records.get(key)).map(Versioned::of));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        if (writes.size() == 1) {
            return CompletableFuture.completedFuture(List.of(write(writes.get(0))));
        }
        List<WriteResult> results = new ArrayList<>(writes.size());
        for (Write write : writes) {
            results.add(write(write));
        }
        return CompletableFuture.completedFuture(results);
    }

    private WriteResult write(Write write) {
        CompareAndSet attempt = new CompareAndSet(write, time());
        records.compute(write.key(), (key, current) -> {
            LockRecord next = attempt.apply(current);
            if (next == null) {
                keys.remove(key);
            } else if (current == null) {
                keys.add(key);
            }
            return next;
        });
        if (attempt.result instanceof WriteResult.Applied) {
            append(write.events());
            if (!write.wake().isNobody()) {
                listeners.forEach(listener -> listener.tell(write));
            }
        }
        return attempt.result;
    }

    /** One compare-and-set, run while the map holds the entry. */
    private static final class CompareAndSet {
        private final Write write;
        private final Instant now;
        private WriteResult result = WriteResult.Applied.PLAIN;

        CompareAndSet(Write write, Instant now) {
            this.write = write;
            this.now = now;
        }

        @Nullable LockRecord apply(@Nullable LockRecord current) {
            LockRecord next = write.record().orElse(null);
            if (current == null) {
                boolean allowed = !(write.precondition() instanceof Precondition.Stamped);
                result = allowed ? WriteResult.Applied.PLAIN : new WriteResult.Refused(Optional.empty());
                return allowed ? next : null;
            }
            if (write.precondition() instanceof Precondition.Stamped stamped
                    && stamped.stamp().equals(current.stamp())) {
                boolean early = stamped.notBefore().filter(now::isBefore).isPresent();
                result = early ? new WriteResult.TooEarly() : WriteResult.Applied.PLAIN;
                return early ? current : next;
            }
            if (write.precondition() instanceof Precondition.IdleBelow idle && idle.isMetBy(current) && next != null) {
                Past kept = current.past();
                result = new WriteResult.Applied("", Optional.of(kept));
                return next.withPast(kept);
            }
            result = new WriteResult.Refused(Optional.of(Versioned.of(current)));
            return current;
        }
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        try {
            return CompletableFuture.completedFuture(page(request));
        } catch (IllegalArgumentException e) { // a cursor of somebody else
            return CompletableFuture.failedFuture(e);
        }
    }

    private Page page(ScanRequest request) {
        Iterator<RecordKey> rest = request.after()
                .map(key -> keys.tailSet(key, false))
                .orElse(keys)
                .iterator();
        List<Versioned> page = new ArrayList<>();
        while (rest.hasNext() && page.size() < request.limit()) {
            LockRecord record = records.get(rest.next());
            if (record != null && request.matches(record)) {
                page.add(Versioned.of(record));
            }
        }
        Optional<String> next = rest.hasNext()
                ? Optional.of(Page.cursor(page.get(page.size() - 1).record().key()))
                : Optional.empty();
        return new Page(page, next);
    }

    // ---- clock

    private Instant time() {
        return startWall.plusNanos((local.nanos() - startNanos) / 1_000 * 1_000);
    }

    @Override
    public StoreClock clock() {
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return Optional.of(Reading.exactly(time()));
            }

            @Override
            public CompletionStage<Void> measure() {
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    // ---- events

    private void append(List<LockEvent> happened) {
        if (happened.isEmpty()) {
            return;
        }
        synchronized (events) {
            for (LockEvent event : happened) {
                events.addLast(new StoredEvent(++lastNumber, event));
            }
            while (events.size() > MAX_EVENTS) {
                events.removeFirst();
            }
        }
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        List<StoredEvent> found = new ArrayList<>();
        synchronized (events) {
            Iterator<StoredEvent> order = query.after().isPresent() ? events.iterator() : events.descendingIterator();
            while (order.hasNext() && found.size() < query.limit()) {
                StoredEvent event = order.next();
                if (query.matches(event.number(), event.event())) {
                    found.add(event);
                }
            }
        }
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> imported) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        synchronized (events) {
            NavigableMap<Long, StoredEvent> byNumber = new TreeMap<>();
            events.forEach(event -> byNumber.put(event.number(), event));
            imported.forEach(event -> byNumber.putIfAbsent(event.number(), event));
            events.clear();
            events.addAll(byNumber.values());
            lastNumber = Math.max(lastNumber, byNumber.isEmpty() ? 0 : byNumber.lastKey());
            while (events.size() > MAX_EVENTS) {
                events.removeFirst();
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        int gone = 0;
        synchronized (events) {
            while (gone < limit
                    && !events.isEmpty()
                    && events.getFirst().event().at().isBefore(before)) {
                events.removeFirst();
                gone++;
            }
        }
        return CompletableFuture.completedFuture(gone);
    }

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        Listener listener = new Listener(engine, heard);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    /** Ends a store for one engine; one that is shared goes on for the others. */
    @Override
    public void close() {
        closed = traits.exclusive();
    }

    private static StoreUnavailableException closedException() {
        return new StoreUnavailableException("The memory store is closed", null);
    }
}
