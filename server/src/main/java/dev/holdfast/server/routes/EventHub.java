package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, kept once for everybody who listens. Looks at the store's log only while somebody does. Listeners are told
 * that there is something new, and fetch what they have not seen at their own pace: from here if it is recent, else from the
 * store. Safe for any thread.
 */
public final class EventHub implements AutoCloseable {
    /** Events kept for those who are a little behind. */
    private static final int KEPT = 4_096;

    private final LockEngine engine;
    private final boolean history;
    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();
    private final RecentEvents recent = new RecentEvents(KEPT);
    private EventFeed.@Nullable Feed feed;
    private CompletableFuture<Long> started = new CompletableFuture<>();
    /** Which feed this is, of those opened one after the other: what an earlier one still says is not believed. */
    private long turn;
    /** Everything after this number is in {@link #recent}. */
    private long floor;

    private long last;

    /** Listens to what this engine hears of; {@code history} if its events are kept. */
    public EventHub(LockEngine engine, boolean history) {
        this.history = history;
        this.engine = engine;
    }

    public int size() {
        return listeners.size();
    }

    /** Adds a listener; completes with the number of the newest event, once everything after it will be told. */
    CompletableFuture<Long> join(Runnable news) {
        CompletableFuture<Long> ready;
        synchronized (this) {
            listeners.add(news);
            if (feed == null) {
                start();
            }
            ready = started;
        }
        return ready.thenApply(from -> newest());
    }

    private void start() {
        CompletableFuture<Long> start = new CompletableFuture<>();
        started = start;
        long mine = ++turn;
        EventFeed.Feed opened = engine.watch(event -> happened(mine, event));
        feed = opened;
        StageContinuation.then(opened.ready().thenCompose(ready -> newestStored()), (newest, failure) -> {
            if (newest == null) {
                stop(opened);
                start.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
            } else if (begin(opened, newest)) {
                start.complete(newest);
            } else {
                start.completeExceptionally(new IllegalStateException("nobody listens any more"));
            }
        });
    }

    /** Everything after this number will be told; false if that feed was stopped meanwhile. */
    private synchronized boolean begin(EventFeed.Feed opened, long newest) {
        if (feed != opened) {
            return false;
        }
        floor = Math.max(floor, newest);
        last = Math.max(last, floor);
        return true;
    }

    /** Without history events have numbers only while somebody listens, from 1 on. */
    CompletableFuture<Long> newestStored() {
        return history
                ? engine.events(EventQuery.newest(1))
                        .thenApply(
                                newest -> newest.isEmpty() ? 0 : newest.get(0).number())
                : CompletableFuture.completedFuture(0L);
    }

    void leave(Runnable news) {
        listeners.remove(news);
        synchronized (this) {
            if (listeners.isEmpty() && feed != null) {
                stop(feed);
            }
        }
    }

    private synchronized void stop(EventFeed.Feed ended) {
        ended.close();
        if (ended == feed) {
            feed = null;
            recent.clear();
            floor = 0;
            last = 0;
        }
    }

    private void happened(long of, StoredEvent event) {
        EventText told = EventText.of(event); // before the door: nobody waits while it is written
        synchronized (this) {
            if (of != turn || feed == null) {
                return;
            }
            floor = Math.max(floor, recent.add(told));
            last = Math.max(last, event.number());
        }
        listeners.forEach(Runnable::run);
    }

    synchronized long newest() {
        return last;
    }

    /** Up to which number the store must be asked. */
    synchronized long floor() {
        return floor;
    }

    /** The next events after this number, oldest first; empty if they are not here any more. */
    synchronized Optional<List<EventText>> after(long number, int limit) {
        return number < floor ? Optional.empty() : Optional.of(recent.after(number, limit));
    }

    /**
     * Events from the store, and its time when they were read.
     *
     * @param events oldest first
     * @param now not after the store's time
     */
    record EventPage(List<StoredEvent> events, Instant now) {}

    CompletableFuture<EventPage> stored(long number, int limit) {
        return engine.events(EventQuery.after(number, limit))
                .thenCombine(engine.now(), (events, time) -> new EventPage(events, time.earliest()));
    }

    @Override
    public void close() {
        listeners.clear();
        synchronized (this) {
            if (feed != null) {
                stop(feed);
            }
        }
    }
}
