package dev.holdfast.server.state;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at each deployment lock when it turns stale or ends, and not only when everything is swept: an alarm that comes minutes late is
 * none. It knows which locks are held from the events, and from a listing of the namespace at the start and from time to time; where
 * following events costs money, from the listing alone, which then comes twice in the time a hold needs to turn stale. A look is one
 * read; that a hold is stale is written, told and counted once, by the server whose look is first.
 */
public final class StaleWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StaleWatch.class);

    /** Locks watched at once; those beyond are found by the next sweep. */
    private static final int MAX_WATCHED = 10_000;
    /** After the moment a hold turns stale: clocks are known only so well. */
    private static final Duration SLACK = Duration.ofSeconds(2);
    /** The store could not be asked. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Between two listings where events are followed: for what no event told of. */
    private static final Duration SELDOM = Duration.ofMinutes(10);
    /** And where they are not; at most half of what makes a hold stale. */
    private static final Duration OFTEN = Duration.ofMinutes(1);

    private static final int MAX_PAGES = 10;

    private final LockEngine engine;
    private final Duration staleAfter;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-stale-watch"));
    private final Map<RecordKey, Look> looks = new HashMap<>();

    private record Look(long at, Future<?> timer) {}

    public StaleWatch(LockEngine engine, Duration staleAfter) {
        this.engine = engine;
        this.staleAfter = staleAfter;
    }

    /** Begins, told of events ({@link #happened}). */
    public void start() {
        list(SELDOM);
    }

    /** Begins, told of nothing. */
    public void startUntold() {
        Duration half = staleAfter.dividedBy(2);
        list(half.compareTo(OFTEN) < 0 ? half : OFTEN);
    }

    private void list(Duration every) {
        var unused = timer.scheduleWithFixedDelay(this::list, 0, every.toMillis(), TimeUnit.MILLISECONDS);
    }

    public void happened(StoredEvent event) {
        RecordKey key = event.event().key();
        if (event.event().type() == EventType.ACQUIRED && key.namespace().equals(Stack.NAMESPACE)) {
            lookIn(key, staleAfter.plus(SLACK));
        }
    }

    private void list() {
        ScanRequest request = ScanRequest.all().in(Stack.NAMESPACE).busy();
        StageContinuation.then(pages(request, 1), (done, failure) -> {
            if (failure != null && !timer.isShutdown()) {
                LOG.info(
                        "Deployment locks could not be listed, to watch whether they turn stale: {}",
                        failure.getMessage());
            }
        });
    }

    private CompletableFuture<Page> pages(ScanRequest request, int number) {
        return engine.scan(request)
                .thenCombine(engine.now(), (page, now) -> {
                    page.records().forEach(found -> plan(found.record(), now.earliest()));
                    return page;
                })
                .thenCompose(page -> page.next().isEmpty() || number == MAX_PAGES || timer.isShutdown()
                        ? CompletableFuture.completedFuture(page)
                        : pages(request.from(page.next()), number + 1));
    }

    private void look(RecordKey key) {
        synchronized (this) {
            looks.remove(key);
        }
        StageContinuation.then(
                engine.touch(key).thenCombine(engine.now(), (answer, now) -> {
                    plan(answer.result(), now.earliest());
                    return true;
                }),
                (done, failure) -> {
                    if (failure != null) {
                        lookIn(key, AGAIN); // what the store fails with is told by whoever needs the lock
                    }
                });
    }

    /** When this lock has to be looked at next; not at all while nobody holds it. */
    private void plan(LockRecord record, Instant now) {
        if (record.isNewer()) {
            return;
        }
        Optional<Instant> next = record.holds().stream()
                .filter(Hold::isHeld)
                .map(hold -> {
                    Instant stale = hold.stale() ? now.plus(staleAfter) : hold.staleAt(staleAfter);
                    return stale.isBefore(hold.expiresAt()) ? stale : hold.expiresAt();
                })
                .min(Instant::compareTo);
        next.ifPresent(at -> {
            Duration in = Duration.between(now, at).plus(SLACK);
            // A lock that is renewed is looked at anew in time, however long its lease is.
            lookIn(record.key(), in.compareTo(SLACK) < 0 ? SLACK : in.compareTo(SELDOM) > 0 ? SELDOM : in);
        });
    }

    private synchronized void lookIn(RecordKey key, Duration delay) {
        long at = System.nanoTime() + delay.toNanos();
        Look planned = looks.get(key);
        boolean sooner = planned != null && planned.at() - at <= 0;
        if (sooner || timer.isShutdown() || (planned == null && looks.size() >= MAX_WATCHED)) {
            return;
        }
        if (planned != null) {
            planned.timer().cancel(false);
        }
        looks.put(key, new Look(at, timer.schedule(() -> look(key), delay.toNanos(), TimeUnit.NANOSECONDS)));
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        looks.clear();
    }
}
