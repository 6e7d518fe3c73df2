package dev.holdfast.server.routes;

import dev.holdfast.model.EventType;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Shares;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** {@code GET /v2/events}: what happens, as server-sent events, from now on or from a number on. */
public final class EventsRoute {
    private final EventHub hub;
    private final Bounds bounds;
    private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
    private final Shares shares;

    /**
     * What listeners may use.
     *
     * @param clients how many may listen
     * @param behind how many events one may be behind
     * @param patience how long one may take nothing
     * @param each how many of one caller
     */
    public record Bounds(int clients, int behind, Duration patience, int each) {}

    public EventsRoute(EventHub hub, Bounds bounds) {
        this.hub = hub;
        this.bounds = bounds;
        this.shares = new Shares(bounds.each());
    }

    CompletableFuture<Reply> answer(Call call) {
        Query query = call.query();
        Optional<String> namespace = LockParameters.namespaceOf(query);
        String prefix = LockParameters.prefix(query);
        Optional<EventType> type = query.text("event", LockParameters::event);
        Optional<Long> since = query.integer("since", 0, Long.MAX_VALUE);
        query.check();
        Optional<Long> last =
                call.header("Last-Event-ID").filter(text -> !text.isBlank()).map(EventsRoute::number);
        call.requireRead(namespace);
        String share = call.share();
        if (open.size() >= bounds.clients()) {
            throw tooMany("There are too many event streams already. Ask again later");
        }
        if (shares.isUsedUp(share)) {
            throw tooMany("This caller already has " + bounds.each() + " event streams. Close one of them first");
        }
        Predicate<StoredEvent> wanted = event -> namespace
                        .map(event.event().key().namespace()::equals)
                        .orElse(true)
                && event.event().key().name().startsWith(prefix)
                && type.map(event.event().type()::equals).orElse(true)
                && call.principal().grants().may(Role.READ, event.event().key());
        return CompletableFuture.completedFuture(Reply.stream("text/event-stream", response -> {
            EventStream stream = new EventStream(hub, response, wanted, bounds.behind(), bounds.patience());
            open.add(stream);
            boolean counted = shares.take(share);
            Runnable forget = call.standing()
                    .whenOver(() -> stream.stop("the credentials of this stream expired or were revoked"));
            stream.open(last.or(() -> since), () -> {
                forget.run();
                if (open.remove(stream) && counted) {
                    shares.giveBack(share);
                }
            });
        }));
    }

    private static Problem.Refused tooMany(String why) {
        return Problem.refusal(429, "too-many-listeners", why, Duration.ofSeconds(5));
    }

    public void stop() {
        open.forEach(stream -> stream.stop("the server stops"));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw Problem.invalid("the header Last-Event-ID must be an event number");
        }
    }
}
