package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.spi.EventLog.StoredEvent;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * One client of the event stream. It holds no events of its own: it knows how far it has come, and takes what is next when its
 * connection has room. One that falls too far behind, or takes nothing for too long, is told to start again, and cut. Belongs to
 * its event loop.
 */
final class EventStream {
    private static final long COMMENT_EVERY_MILLIS = 15_000;
    private static final long LOOK_FOR_ROOM_MILLIS = 1_000;
    private static final int PAGE = 200;
    private static final long NO_TIMER = -1;
    /** A number that is missing may be of a transaction that has not ended yet: how often it is waited for. */
    private static final int GAP_LOOKS = 8;

    private static final long GAP_LOOK_MILLIS = 250;
    private static final Buffer HELLO = Buffer.buffer("retry: 1000\n\n");
    private static final Buffer COMMENT = Buffer.buffer(": still here\n\n");

    private final EventHub hub;
    private final HttpServerResponse response;
    private final Predicate<StoredEvent> wanted;
    private final int maxBehind;
    private final long patience;
    private final Vertx vertx;
    private final Context context;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Runnable news = this::wake;

    private long position;
    private long comments = NO_TIMER;
    private long fullSince;
    private long roomTimer = NO_TIMER;
    private boolean reading;
    private boolean over;
    /** Whether it has seen everything once: before that it is far behind because it asked for the past, not because it is slow. */
    private boolean caughtUp;

    private int gapLooks;
    private Runnable ended = () -> {};

    /**
     * @param maxBehind how many events it may be behind
     * @param patience how long it may take nothing
     */
    EventStream(
            EventHub hub,
            HttpServerResponse response,
            Predicate<StoredEvent> wanted,
            int maxBehind,
            Duration patience) {
        this.hub = hub;
        this.response = response;
        this.wanted = wanted;
        this.maxBehind = maxBehind;
        this.patience = patience.toNanos();
        this.context = Vertx.currentContext();
        this.vertx = context.owner();
    }

    /** Sends what happened after {@code since}, or from now on, and everything after. */
    void open(Optional<Long> since, Runnable whenEnded) {
        ended = whenEnded;
        response.setChunked(true);
        response.closeHandler(closed -> end());
        response.exceptionHandler(failure -> end());
        withNewest(hub.join(news), newest -> {
            if (since.isPresent() && since.get() > newest) {
                ahead(since.get());
            } else {
                begin(since.orElse(newest));
            }
        });
    }

    private void withNewest(CompletableFuture<Long> asked, LongConsumer act) {
        StageContinuation.on(context, asked, (newest, failure) -> {
            if (over) {
                return; // gone before it began: a timer set now would never end
            }
            if (newest == null) {
                reset("the events cannot be read now");
            } else {
                act.accept(newest);
            }
        });
    }

    private void begin(long from) {
        position = from;
        response.write(HELLO); // not before: who has seen it misses nothing that happens from then on
        comments = vertx.setPeriodic(COMMENT_EVERY_MILLIS, timer -> response.write(COMMENT));
        pump();
    }

    /** The client knows more than this server has heard of so far, as another server may have told it; or of another history. */
    private void ahead(long since) {
        withNewest(hub.newestStored(), newest -> {
            if (since > newest) {
                reset("there is no event " + since + " yet: this is another history", true);
            } else {
                begin(since);
            }
        });
    }

    /** Something new; called on any thread. */
    private void wake() {
        if (woken.compareAndSet(false, true)) {
            context.runOnContext(back -> {
                woken.set(false);
                pump();
            });
        }
    }

    private void pump() {
        while (!over && !reading) {
            if (response.writeQueueFull()) {
                waitForRoom();
                return;
            }
            fullSince = 0;
            Optional<List<EventText>> next = hub.after(position, PAGE);
            if (next.isEmpty()) {
                replay();
                return;
            }
            if (next.get().isEmpty()) {
                caughtUp = true;
                return;
            }
            for (EventText told : next.get()) {
                if (takes(told.event())) {
                    response.write(told.text());
                }
            }
        }
    }

    private void waitForRoom() {
        long now = System.nanoTime();
        fullSince = fullSince == 0 ? now : fullSince;
        boolean tooFar = caughtUp && hub.newest() - position > maxBehind;
        if (tooFar || now - fullSince > patience) {
            reset("too slow: more than " + maxBehind + " events behind, or nothing read for too long");
            return;
        }
        response.drainHandler(room -> pump());
        if (roomTimer == NO_TIMER) { // one at a time: every event wakes a client, and each would set another
            roomTimer = vertx.setTimer(LOOK_FOR_ROOM_MILLIS, timer -> {
                roomTimer = NO_TIMER;
                pump();
            });
        }
    }

    /** What is too old to be in the hub comes from the store. */
    private void replay() {
        reading = true;
        long floor = hub.floor(); // as it is now: what leaves the hub while the store answers is not in the answer
        StageContinuation.on(context, hub.stored(position, PAGE), (page, failure) -> {
            reading = false;
            if (page == null) {
                reset("the events cannot be read now");
            } else if (gapMayFill(page)) {
                gapLooks++;
                reading = true; // until then: news in between must not use up the looks
                vertx.setTimer(GAP_LOOK_MILLIS, timer -> {
                    reading = false;
                    pump();
                });
            } else {
                gapLooks = 0;
                for (StoredEvent event : page.events()) {
                    if (takes(event)) {
                        response.write(EventText.text(event));
                    }
                }
                position = page.events().size() < PAGE ? Math.max(position, floor) : position;
                pump();
            }
        });
    }

    private boolean gapMayFill(EventHub.EventPage page) {
        if (gapLooks >= GAP_LOOKS) {
            return false;
        }
        long before = position;
        for (StoredEvent event : page.events()) {
            if (event.number() > before + 1 && !EventFeed.isSettled(event, page.now())) {
                return true;
            }
            before = event.number();
        }
        return false;
    }

    /** Comes as far as this event; whether it is to be told. */
    private boolean takes(StoredEvent event) {
        if (over) {
            return false;
        }
        position = event.number();
        return wanted.test(event);
    }

    /** Tells the client to look for itself and start again, and cuts it. */
    void reset(String why) {
        reset(why, false);
    }

    /** The same; also says whether the numbers the client knows are of another history, so that it starts from the first. */
    private void reset(String why, boolean anotherHistory) {
        if (over) {
            return;
        }
        String text = why.replace('"', '\'');
        response.write("event: reset\ndata: {\"reason\":\"" + text + "\",\"last_event_id\":" + position
                + ",\"another_history\":" + anotherHistory + "}\n\n");
        end();
        response.end();
    }

    /** Ends it from outside; called on any thread. */
    void stop(String why) {
        context.runOnContext(back -> reset(why));
    }

    private void end() {
        if (!over) {
            over = true;
            hub.leave(news);
            vertx.cancelTimer(comments);
            vertx.cancelTimer(roomTimer);
            ended.run();
        }
    }
}
