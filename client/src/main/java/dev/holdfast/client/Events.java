package dev.holdfast.client;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.EventType;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a server, told to one listener. When the line breaks, or is silent though the server speaks every 15 s, it is taken
 * up again where it broke, at the next server.
 */
final class Events implements EventFeed.Feed {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final Duration SILENCE = Duration.ofSeconds(45);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ServerLocks locks;
    private final Optional<EventType> only;
    private final Consumer<EventLog.StoredEvent> listener;
    private final Consumer<Events> ended;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private Optional<Long> last = Optional.empty();
    private @Nullable Lines lines;
    /** Servers that were asked in vain before the first one answered. */
    private int silentServers;

    private volatile boolean closed;
    private volatile boolean connected;

    Events(
            ServerLocks locks,
            Optional<EventType> only,
            Consumer<EventLog.StoredEvent> listener,
            Consumer<Events> ended) {
        this.locks = locks;
        this.only = only;
        this.listener = listener;
        this.ended = ended;
    }

    @Override
    public CompletableFuture<Void> ready() {
        return ready;
    }

    @Override
    public boolean isListening() {
        return connected;
    }

    @Override
    public boolean isOver() {
        return closed;
    }

    /** What comes after the newest event there is: the line may break before the first one comes. */
    void begin() {
        Stages.then(locks.history(EventLog.EventQuery.newest(1)), (newest, failure) -> {
            if (newest == null) {
                ready.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
                close();
                return;
            }
            last = Optional.of(newest.isEmpty() ? 0L : newest.get(0).number());
            connect();
        });
    }

    private void connect() {
        if (closed) {
            return;
        }
        int index = locks.transport().preferred();
        URI server = locks.transport().servers().get(index);
        HttpRequest request = locks.transport()
                .request(
                        server,
                        new RequestQuery("/v2/events")
                                .with("event", only.map(EventType::label))
                                .with("since", last)
                                .toString())
                .header("Accept", "text/event-stream")
                .build();
        Lines reading = new Lines();
        synchronized (this) {
            if (closed) {
                return; // just now
            }
            lines = reading;
        }
        HttpResponse.BodyHandler<Void> handler = info -> {
            if (info.statusCode() != 200) {
                return BodySubscribers.replacing(null);
            }
            ready.complete(null);
            reading.watch(SILENCE);
            return BodySubscribers.fromLineSubscriber(reading);
        };
        reading.whenSilent = () -> {
            locks.transport().failed(index);
            again(server, "it was silent");
        };
        // A server may take the connection and then stand still; several share the time.
        reading.watch(locks.servers() > 1 ? locks.patience().dividedBy(2) : locks.patience());
        CompletableFuture<HttpResponse<Void>> asked = locks.transport().parked().sendAsync(request, handler);
        reading.of(asked);
        Stages.then(asked, (response, failure) -> {
            if (!reading.over()) {
                return; // silent for too long, and already taken up again
            }
            int status = response == null ? 0 : response.statusCode();
            if (status == 401 || status == 403) {
                refused(server);
                return;
            }
            if (status != 200) {
                locks.transport().failed(index);
            }
            if (!closed) {
                String why = failure == null ? "it answered " + status : String.valueOf(failure.getMessage());
                LOG.debug("The events of {} are being read again: {}", server, why);
                again(server, why);
            }
        });
    }

    private void again(URI server, String why) {
        connected = false;
        if (!ready.isDone() && ++silentServers < locks.servers()) {
            connect(); // at the next one
            return;
        }
        if (!ready.isDone()) {
            ready.completeExceptionally(
                    new StoreUnavailableException("The events of " + server + " cannot be read: " + why, null));
            close();
            return;
        }
        locks.machine().after(PAUSE, this::connect);
    }

    private void refused(URI server) {
        AccessRefusedException refusal =
                new AccessRefusedException(server + " does not let this client read its events", null);
        if (!ready.completeExceptionally(refusal)) {
            LOG.warn("{}; this listener is no longer called", refusal.getMessage());
        }
        close();
    }

    private void tell(String data) {
        try {
            Json.Obj doc = AnswerFields.of(data.getBytes(StandardCharsets.UTF_8));
            last = Optional.of(AnswerFields.number(doc, "event_id"));
            EventJson.read(doc).ifPresent(listener);
        } catch (RuntimeException e) {
            LOG.error("An event listener failed; it will be called again for the next event", e);
        }
    }

    /** A store that was emptied, or another one behind the same address, counts from the start; so do we, or nothing would ever come. */
    private void startOver(String reset) {
        try {
            if (AnswerFields.of(reset.getBytes(StandardCharsets.UTF_8)).truth("another_history")) {
                LOG.warn(
                        "{} has a new history: its events are delivered from the first on",
                        locks.transport().servers());
                last = Optional.of(0L);
            }
        } catch (StoreUnusableException e) {
            LOG.debug("A reset that says nothing: {}", reset);
        }
    }

    @Override
    public void close() {
        Lines reading;
        synchronized (this) {
            closed = true;
            reading = lines;
        }
        ended.accept(this);
        if (reading != null) {
            reading.over();
        }
        ready.completeExceptionally(locks.transport().closedException()); // whoever waits for it to begin waits no more
    }

    /** The lines of one connection, one at a time, so that a slow listener slows the server and fills no memory here. */
    private final class Lines implements Flow.Subscriber<String> {
        private final StringBuilder data = new StringBuilder();
        private boolean reset;
        private @Nullable Future<?> asked;
        private Flow.@Nullable Subscription subscription;
        private Machine.@Nullable Timer silent;
        private Runnable whenSilent = () -> {};
        private boolean over;

        /** The request whose answer these are. */
        synchronized void of(Future<?> request) {
            asked = request;
            if (over) {
                request.cancel(true);
            }
        }

        @Override
        public synchronized void onSubscribe(Flow.Subscription to) {
            subscription = to;
            if (over) {
                to.cancel();
            } else {
                to.request(1);
            }
        }

        @Override
        public void onNext(String line) {
            watch(SILENCE);
            connected |= !line.startsWith(
                    "event: reset"); // the server takes a connection also when it cannot read its events
            if (line.isEmpty() && data.length() > 0) {
                String whole = data.toString();
                boolean told = !reset;
                if (reset) {
                    startOver(whole);
                }
                data.setLength(0);
                reset = false;
                listening(); // however long that takes, the server is not the one that is silent
                locks.machine().tell(Machine.ThreadLane.EVENTS, () -> {
                    if (told && !closed) {
                        tell(whole);
                    }
                    watch(SILENCE);
                    next();
                });
                return;
            }
            reset |= line.equals("event: reset"); // the server ends this connection; nothing is lost
            if (line.startsWith("data:")) {
                data.append(line.substring(5).strip());
            }
            next();
        }

        private synchronized void next() {
            if (subscription != null && !over) {
                subscription.request(1);
            }
        }

        private synchronized void listening() {
            if (silent != null) {
                silent.cancel();
            }
        }

        /** It spoke; from now on it may be silent for a while. */
        synchronized void watch(Duration longest) {
            if (silent != null) {
                silent.cancel();
            }
            if (!over) {
                silent = locks.machine().after(longest, this::silent);
            }
        }

        private void silent() {
            if (over() && !closed) {
                whenSilent.run();
            }
        }

        /** Ends it; false if it had ended before. */
        synchronized boolean over() {
            boolean first = !over;
            over = true;
            if (silent != null) {
                silent.cancel();
            }
            if (subscription != null) {
                subscription.cancel();
            } else if (asked != null) {
                asked.cancel(true);
            }
            return first;
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }
}
