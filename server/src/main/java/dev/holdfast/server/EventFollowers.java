package dev.holdfast.server;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.spi.EventLog.StoredEvent;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who of this server is told of every event. Close it after the engine: what that does at its end is told as well. */
final class EventFollowers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HoldfastServer.class);
    private static final long AGAIN_MILLIS = 1_000;

    private final Vertx vertx;
    private final List<EventFeed.Feed> feeds = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;

    EventFollowers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Hands on every event from now on; a store that cannot be read at the start is asked again. */
    void follow(LockEngine engine, String what, Consumer<StoredEvent> listener) {
        EventFeed.Feed feed = engine.watch(listener);
        feeds.add(feed);
        StageContinuation.then(feed.ready(), (ready, failure) -> {
            if (failure != null && !stopping) {
                LOG.warn("Events cannot be followed for {} yet, trying again: {}", what, failure.getMessage());
                feeds.remove(feed);
                vertx.setTimer(AGAIN_MILLIS, timer -> follow(engine, what, listener));
            }
        });
    }

    /** From now on a store that cannot be read is not asked again. */
    void stop() {
        stopping = true;
    }

    @Override
    public void close() {
        feeds.forEach(EventFeed.Feed::close);
    }
}
