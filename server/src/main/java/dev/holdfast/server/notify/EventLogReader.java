package dev.holdfast.server.notify;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The log of events after a number, of which only what webhooks hear of is kept. Webhooks that are equally far share what was read. Safe
 * for any thread; a read blocks as long as the store takes.
 */
final class EventLogReader {
    private static final int PAGE = ScanRequest.MAX_LIMIT;
    /** Pages that are remembered: one for each webhook, should all be somewhere else. */
    private static final int REMEMBERED = 20;

    private final LockEngine engine;
    private final Duration fresh;
    private final Map<Long, LogPage> pages = RecentMap.inOrderOfInsertion(REMEMBERED); // guarded by this

    /** Reads again what was read longer ago than this, unless nothing can be added to it. */
    EventLogReader(LockEngine engine, Duration fresh) {
        this.engine = engine;
        this.fresh = fresh;
    }

    /**
     * @param events those that are told, oldest first
     * @param through everything up to this number was looked at
     * @param full whether more follows for certain
     * @param readAt when, on the monotonic clock
     */
    record LogPage(List<StoredEvent> events, long through, boolean full, long readAt) {}

    synchronized LogPage after(long number) throws InterruptedException {
        LogPage known = pages.get(number);
        if (known != null && (known.full() || System.nanoTime() - known.readAt() < fresh.toNanos())) {
            return known;
        }
        LogPage page = read(number);
        pages.remove(number); // so that it counts as the newest
        pages.put(number, page);
        return page;
    }

    /** The number of the newest event; empty if there is none. */
    Optional<Long> newest() throws InterruptedException {
        return EngineAnswers.await(engine.events(EventQuery.newest(1))).stream()
                .findFirst()
                .map(StoredEvent::number);
    }

    /** Not after the time of the store. */
    Instant now() throws InterruptedException {
        return EngineAnswers.await(engine.now()).earliest();
    }

    private LogPage read(long number) throws InterruptedException {
        List<StoredEvent> found = EngineAnswers.await(engine.events(EventQuery.after(number, PAGE)));
        Instant now = now();
        List<StoredEvent> told = new ArrayList<>();
        long through = number;
        for (StoredEvent event : found) {
            // Numbers may become visible out of order: what is missing now may come, unless no write takes that long.
            if (event.number() > through + 1 && !EventFeed.isSettled(event, now)) {
                return new LogPage(told, through, false, System.nanoTime());
            }
            through = event.number();
            if (NoticeKind.of(event.event().type()).isPresent()) {
                told.add(event);
            }
        }
        return new LogPage(told, through, found.size() == PAGE, System.nanoTime());
    }
}
