package dev.holdfast.server.routes;

import dev.holdfast.model.EventType;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** {@code GET /v2/history} and {@code /api/locks/history}: what happened, as in the audit log: newest first, or from a number on. */
final class HistoryRoute {
    private static final int MAX_PAGES = 10;

    private final Locks locks;

    HistoryRoute(Locks locks) {
        this.locks = locks;
    }

    CompletableFuture<Reply> answer(Call call) {
        Query query = call.query();
        Optional<String> namespace = LockParameters.namespaceOf(query);
        Function<String, String> read = text -> LockParameters.lockName(namespace, text);
        Optional<String> name = query.text("name", read);
        Optional<String> called = query.text("lockName", read);
        Optional<EventType> event = query.text("event", LockParameters::event);
        Optional<Instant> from = query.text("from", LockParameters::time);
        Optional<Instant> to = query.text("to", LockParameters::time);
        int limit = LockParameters.limit(query);
        Optional<Long> cursor = query.text("cursor", HistoryRoute::number);
        Optional<Long> after = query.integer("after", 0, Long.MAX_VALUE);
        Optional<Long> before = query.integer("before", 0, Long.MAX_VALUE);
        query.check();
        call.requireRead(namespace);
        // With one namespace to read, its events alone are gone through. With several, a cursor is the number of some
        // event, which
        // the gaps between one's own numbers tell as well; it names nothing.
        List<ReadablePart> parts =
                ReadablePart.parts(namespace, "", call.principal().grants());
        Optional<String> where = parts.size() == 1 ? parts.get(0).namespace() : namespace;
        EventQuery asked = after.isPresent()
                ? new EventQuery(where, name, event, from, to, cursor.or(() -> after), before, limit)
                : new EventQuery(where, name, event, from, to, Optional.empty(), cursor.or(() -> before), limit);
        return search(call, asked.called(called), new ArrayList<>(), 1);
    }

    private CompletableFuture<Reply> search(Call call, EventQuery asked, List<StoredEvent> found, int pages) {
        return locks.inspector().historyAsync(asked).thenCompose(page -> {
            for (StoredEvent event : page) {
                if (call.principal().grants().may(Role.READ, event.event().key())) {
                    found.add(event);
                }
            }
            boolean over = page.size() < asked.limit();
            if (over || pages == MAX_PAGES || found.size() * 2 >= asked.limit()) {
                Optional<Long> next = over
                        ? Optional.empty()
                        : Optional.of(page.get(page.size() - 1).number());
                return CompletableFuture.completedFuture(reply(found, next));
            }
            return search(
                    call,
                    further(asked, page.get(page.size() - 1).number(), asked.limit() - found.size()),
                    found,
                    pages + 1);
        });
    }

    /** From the last one seen, in the direction that was asked for. */
    private static EventQuery further(EventQuery asked, long last, int limit) {
        boolean forward = asked.after().isPresent();
        return new EventQuery(
                asked.namespace(),
                asked.name(),
                asked.type(),
                asked.from(),
                asked.to(),
                forward ? Optional.of(last) : Optional.empty(),
                forward ? asked.before() : Optional.of(last),
                limit,
                asked.called());
    }

    private static Reply reply(List<StoredEvent> events, Optional<Long> next) {
        return Reply.ok(json -> {
            json.writeArrayFieldStart("items");
            for (StoredEvent event : events) {
                EventJson.write(json, event);
            }
            json.writeEndArray();
            Cursors.write(json, next.map(number -> Long.toString(number)));
        });
    }

    private static long number(String cursor) {
        try {
            return Long.parseLong(Cursors.decode(cursor));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a cursor of this server; leave it out to start again", e);
        }
    }
}
