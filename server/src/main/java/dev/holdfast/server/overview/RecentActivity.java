package dev.holdfast.server.overview;

import dev.holdfast.Inspector;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.model.Times;
import dev.holdfast.server.survey.SharedAnswers;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What happened in the last quarter of an hour, read from the store when somebody asks: at first all of it, then only what is new. Keeps
 * at most {@value #MOST} events; where more happened, it is known from a later time on. Safe for any thread.
 */
final class RecentActivity {
    static final Duration SPAN = Duration.ofMinutes(15);
    static final int MOST = 5_000;
    private static final int MOST_PAGES = MOST / ScanRequest.MAX_LIMIT;
    /** Numbers written at the same time become visible out of order: what is younger than this is read again. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    private final LockEngine engine;
    private final Inspector inspector;
    private final SharedAnswers<String, Recent> shared = new SharedAnswers<>(System::nanoTime);
    private final NavigableMap<Long, StoredEvent> events = new TreeMap<>();
    private Instant knownFrom = Instant.MAX;

    /** @param inspector whose answers come on threads that may take their time */
    RecentActivity(LockEngine engine, Inspector inspector) {
        this.engine = engine;
        this.inspector = inspector;
    }

    /**
     * @param events newest first
     * @param from from when on it is everything
     * @param now store time
     */
    record Recent(List<StoredEvent> events, Instant from, Instant now) {}

    CompletableFuture<Recent> recent() {
        return shared.get(
                "",
                () -> engine.now().thenCompose(time -> {
                    Instant now = time.latest();
                    Optional<Long> settled = settled(now);
                    return (settled.isPresent() ? news(settled.get(), 1, now) : anew(now)).thenApply(done -> kept(now));
                }));
    }

    /** The number of the last event that no earlier one can follow any more; empty if nothing is known. */
    private synchronized Optional<Long> settled(Instant now) {
        Instant until = now.minus(SETTLED);
        return events.descendingMap().values().stream()
                .filter(stored -> stored.event().at().isBefore(until))
                .findFirst()
                .map(StoredEvent::number);
    }

    private CompletableFuture<Void> news(long after, int pages, Instant now) {
        return inspector
                .historyAsync(EventQuery.after(after, ScanRequest.MAX_LIMIT))
                .thenCompose(page -> {
                    add(page);
                    if (page.size() < ScanRequest.MAX_LIMIT) {
                        return CompletableFuture.completedFuture(null);
                    }
                    return pages == MOST_PAGES
                            ? anew(now) // nobody has asked for long
                            : news(page.get(page.size() - 1).number(), pages + 1, now);
                });
    }

    /** Reads everything, and only then takes it instead of what was known: half of it must not be told as all. */
    private CompletableFuture<Void> anew(Instant now) {
        NavigableMap<Long, StoredEvent> found = new TreeMap<>();
        return back(found, Optional.empty(), 1, now).thenAccept(from -> instead(found, from));
    }

    /** The time from which on it is everything. */
    private CompletableFuture<Instant> back(
            NavigableMap<Long, StoredEvent> found, Optional<Long> before, int pages, Instant now) {
        EventQuery query = new EventQuery(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(now.minus(SPAN)),
                Optional.empty(),
                Optional.empty(),
                before,
                ScanRequest.MAX_LIMIT);
        return inspector.historyAsync(query).thenCompose(page -> {
            page.forEach(event -> found.put(event.number(), event));
            if (page.size() < ScanRequest.MAX_LIMIT) {
                return CompletableFuture.completedFuture(now.minus(SPAN));
            }
            StoredEvent last = page.get(page.size() - 1);
            return pages == MOST_PAGES
                    ? CompletableFuture.completedFuture(last.event().at())
                    : back(found, Optional.of(last.number()), pages + 1, now);
        });
    }

    private synchronized void instead(NavigableMap<Long, StoredEvent> found, Instant from) {
        events.clear();
        events.putAll(found);
        knownFrom = from;
    }

    private synchronized void add(List<StoredEvent> page) {
        page.forEach(event -> events.put(event.number(), event));
    }

    private synchronized Recent kept(Instant now) {
        Instant start = now.minus(SPAN);
        while (!events.isEmpty()
                && (events.size() > MOST
                        || events.firstEntry().getValue().event().at().isBefore(start))) {
            Instant gone = events.pollFirstEntry().getValue().event().at();
            knownFrom = Times.later(gone, knownFrom);
        }
        knownFrom = Times.later(start, knownFrom);
        return new Recent(List.copyOf(events.descendingMap().values()), knownFrom, now);
    }
}
