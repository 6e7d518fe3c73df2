package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers what happens to locks: from the store's event log where there is one, so that events of all processes
 * come, in order and numbered; else only what this engine did.
 */
public final class EventFeed {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);

    /** How long a missing number is waited for: its writer may not have committed yet. */
    private static final Duration GAP_PATIENCE = Duration.ofSeconds(2);
    /** What is missing before an event older than this never was: no write takes so long. */
    private static final Duration SETTLED = Duration.ofSeconds(10);

    private static final int PAGE = 500;
    /** Events a subscriber may be behind before it is cut off: a slow listener must not fill the memory. */
    private static final int BUFFER = 10_000;

    /**
     * Between two looks while one event follows the other, where a look keeps a thread and a connection: what happens meanwhile is
     * read together. The first one is read at once.
     */
    private static final Duration BREATH = Duration.ofMillis(5);

    private final EngineParts parts;
    private final @Nullable EventLog log;
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final AtomicLong localNumber = new AtomicLong();

    private boolean reading;
    /** Whether it was just read; something that happens meanwhile is read when this is over. */
    private boolean resting;

    private boolean again;
    private long last;
    /** After which number one is missing, and since when. */
    private long gapAfter = -1;

    private long gapSince;
    private Machine.@Nullable Timer timer;
    private volatile boolean failing;

    EventFeed(EngineParts parts) {
        this.parts = parts;
        this.log = parts.config().history() && parts.store() instanceof EventLog events ? events : null;
    }

    /** A subscription. */
    public interface Feed extends AutoCloseable {
        /** Completes when everything that happens from then on will be told. */
        CompletableFuture<Void> ready();

        /** Whether events come at the moment; what happens while they do not is told afterwards. */
        boolean isListening();

        /** Whether no event will ever come any more. */
        boolean isOver();

        @Override
        void close();
    }

    /** Adds a subscriber; it hears what happens once the feed is ready. */
    Feed subscribe(Consumer<EventLog.StoredEvent> listener) {
        Subscriber subscriber = new Subscriber(listener);
        if (log == null) {
            subscribers.add(subscriber);
            subscriber.ready.complete(null);
            return subscriber;
        }
        EventLog events = log;
        parts.io(
                Calling.ASYNC,
                () -> Stages.then(
                        Stages.from(() -> events.events(EventLog.EventQuery.newest(1))), (newest, failure) -> {
                            if (newest == null) {
                                subscriber.ready.completeExceptionally(
                                        failure == null ? new IllegalStateException("no answer") : failure);
                            } else {
                                join(
                                        subscriber,
                                        newest.isEmpty() ? 0 : newest.get(0).number());
                            }
                        }));
        return subscriber;
    }

    private void join(Subscriber subscriber, long from) {
        synchronized (this) {
            subscriber.from = from;
            last = subscribers.isEmpty() ? from : last; // nobody listened: what happened meanwhile is nobody's
            subscribers.add(subscriber);
        }
        subscriber.ready.complete(null);
        read();
    }

    /** This engine stored these events. */
    void happened(List<LockEvent> events) {
        if (subscribers.isEmpty()) {
            return;
        }
        if (log != null) {
            if (begins()) {
                parts.machine().run(this::query); // whoever wrote goes on
            }
            return;
        }
        synchronized (localNumber) { // numbered and told in one order
            for (LockEvent event : events) {
                EventLog.StoredEvent stored = new EventLog.StoredEvent(localNumber.incrementAndGet(), event);
                subscribers.forEach(subscriber -> subscriber.add(stored));
            }
        }
    }

    private void read() {
        if (begins()) {
            parts.io(Calling.ASYNC, this::query);
        }
    }

    /** Whether to read now; if it is being read, or was a moment ago, that is done again afterwards. */
    private synchronized boolean begins() {
        again = reading || resting;
        reading |= !again;
        return !again;
    }

    private void rested() {
        boolean happened;
        synchronized (this) {
            resting = false;
            happened = again;
            if (!happened) {
                look(parts.traits().eventPoll(), this::read);
            }
        }
        if (happened) {
            read();
        }
    }

    private void look(Duration delay, Runnable then) {
        if (timer != null) {
            timer.cancel();
        }
        timer = subscribers.isEmpty() ? null : parts.machine().after(delay, then);
    }

    private void query() {
        EventLog events = log;
        if (events == null) {
            return;
        }
        EventLog.EventQuery query = last < 0 ? EventLog.EventQuery.newest(1) : EventLog.EventQuery.after(last, PAGE);
        Stages.then(Stages.from(() -> events.events(query)), (found, failure) -> {
            boolean failed = failing;
            failing = failure != null;
            if (failure != null && !failed) { // once, not four times a second for as long as the store is away
                LOG.warn("The event log cannot be read, trying again: {}", failure.getMessage());
            } else if (failure == null && failed) {
                LOG.info("The event log can be read again");
            }
            boolean more = found != null && deliver(found);
            synchronized (this) {
                reading = false;
                boolean came = found != null && !found.isEmpty();
                resting = !more && came && parts.traits().blocking();
                more |= again && !resting;
                look(resting ? BREATH : parts.traits().eventPoll(), resting ? this::rested : this::read);
                resting &= timer != null; // nobody listens any more: whoever comes next reads at once
            }
            if (more) {
                read();
            }
        });
    }

    /** Hands on what came, up to a gap that may still be filled; true if more is likely there. */
    private boolean deliver(List<EventLog.StoredEvent> found) {
        int count = 0;
        for (EventLog.StoredEvent event : found) {
            if (event.number() > last + 1 && mayFill(event)) {
                return false;
            }
            last = event.number();
            count++;
            subscribers.forEach(subscriber -> subscriber.add(event));
        }
        return count == PAGE;
    }

    /** Whether a number missing before this event never was, by store time. */
    public static boolean isSettled(EventLog.StoredEvent event, Instant now) {
        return now.isAfter(event.event().at().plus(SETTLED));
    }

    /** Whether a number missing before this event may still come. However often we look, it has the same time. */
    private boolean mayFill(EventLog.StoredEvent event) {
        long now = parts.machine().time().nanos();
        if (gapAfter != last) {
            gapAfter = last;
            gapSince = now;
        }
        boolean settled = parts.store()
                .clock()
                .now()
                .map(time -> isSettled(event, time.earliest()))
                .orElse(false);
        return !settled && now - gapSince < GAP_PATIENCE.toNanos();
    }

    /** One listener, called one event at a time; one that is too slow is dropped. */
    private final class Subscriber implements Feed {
        private final CompletableFuture<Void> ready = new CompletableFuture<>();
        private long from;
        private final Consumer<EventLog.StoredEvent> listener;
        private List<EventLog.StoredEvent> waiting = new ArrayList<>();
        private boolean running;

        Subscriber(Consumer<EventLog.StoredEvent> listener) {
            this.listener = listener;
        }

        @Override
        public CompletableFuture<Void> ready() {
            return ready;
        }

        @Override
        public boolean isListening() {
            return !failing;
        }

        @Override
        public boolean isOver() {
            return ready.isDone() && !subscribers.contains(this);
        }

        @Override
        public void close() {
            subscribers.remove(this);
        }

        synchronized void add(EventLog.StoredEvent event) {
            if (event.number() <= from) {
                return; // it happened before this one listened
            }
            if (waiting.size() >= BUFFER) {
                LOG.warn("An event listener is {} events behind and is no longer called", BUFFER);
                subscribers.remove(this);
                return;
            }
            waiting.add(event);
            if (!running) {
                running = true;
                parts.machine().tell(Machine.ThreadLane.EVENTS, this::run);
            }
        }

        private void run() {
            while (true) {
                List<EventLog.StoredEvent> batch;
                synchronized (this) {
                    if (waiting.isEmpty()) {
                        running = false;
                        return;
                    }
                    batch = waiting;
                    waiting = new ArrayList<>();
                }
                for (EventLog.StoredEvent event : batch) {
                    try {
                        listener.accept(event);
                    } catch (RuntimeException e) {
                        LOG.error("An event listener failed; it will be called again for the next event", e);
                    }
                }
            }
        }
    }
}
