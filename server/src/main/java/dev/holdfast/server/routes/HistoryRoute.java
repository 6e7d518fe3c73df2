package dev.holdfast.server.routes;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Cursors;
import dev.holdfast.server.http.MemoryPermits;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.survey.ReadablePart;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * {@code GET /v2/history} and {@code /api/locks/history}: what happened, as in the audit log: newest first, or from a number on.
 *
 * <p>What stores do not look for, and what the caller may not see, is left out here. However little remains, one answer reads at most
 * {@value #MAX_PAGES} pages of the store; it may have few items, or none, and say where to go on.
 */
final class HistoryRoute {
    private static final int MAX_PAGES = 10;

    private final LockCalls locks;

    /** Each of them is some megabytes until it is sent. */
    private final MemoryPermits files = new MemoryPermits(8, 2);

    HistoryRoute(LockCalls locks) {
        this.locks = locks;
    }

    private record Search(Call call, HistoryFilter filter, HistoryAnswer answer) {
        boolean wants(LockEvent event) {
            return call.principal().grants().may(Role.READ, event.key()) && filter.matches(event);
        }

        /** How many events to read at once: where most may be left out, as many as there can be. */
        int pageSize() {
            return filter.isNone() ? answer.room() : ScanRequest.MAX_LIMIT;
        }

        boolean isEnough() {
            return filter.isNone() ? answer.isEnough() : answer.isFull();
        }
    }

    CompletableFuture<Reply> answer(Call call) {
        Query query = call.query();
        Optional<String> namespace = LockParameters.namespaceOf(query);
        Function<String, String> read = text -> LockParameters.lockName(namespace, text);
        Optional<String> name = query.text("name", read);
        Optional<String> called = query.text("lockName", read);
        List<EventType> events =
                query.list("event", LockParameters::event).stream().distinct().toList();
        HistoryFilter filter = HistoryFilter.of(query, events);
        Optional<EventType> event = events.size() == 1 ? Optional.of(events.get(0)) : Optional.empty();
        Optional<Instant> from = query.text("from", LockParameters::time);
        Optional<Instant> to = query.text("to", LockParameters::time);
        Optional<Long> cursor = query.text("cursor", HistoryRoute::number);
        Optional<Long> after = query.integer("after", 0, Long.MAX_VALUE);
        Optional<Long> before = query.integer("before", 0, Long.MAX_VALUE);
        Search search = new Search(call, filter, HistoryAnswer.asked(call, query, cursor.isPresent()));
        query.check();
        call.requireRead(namespace);
        // With one namespace to read, its events alone are gone through. With several, a cursor is the number of some
        // event, which the gaps between one's own numbers tell as well; it names nothing.
        List<ReadablePart> parts =
                ReadablePart.parts(namespace, "", call.principal().grants());
        Optional<String> where = parts.size() == 1 ? parts.get(0).namespace() : namespace;
        EventQuery asked = new EventQuery(
                where,
                name,
                event,
                from,
                to,
                after.isPresent() ? cursor.or(() -> after) : Optional.empty(),
                after.isPresent() ? before : cursor.or(() -> before),
                search.pageSize(),
                called);
        return search.answer().isFile() ? files.run(call, () -> read(search, asked, 1)) : read(search, asked, 1);
    }

    private CompletableFuture<Reply> read(Search search, EventQuery asked, int pages) {
        return locks.inspector().historyAsync(asked).thenCompose(page -> {
            for (int i = 0; i < page.size(); i++) {
                StoredEvent event = page.get(i);
                if (search.wants(event.event())) {
                    search.answer().add(event);
                }
                if (search.answer().isFull() && i + 1 < page.size()) {
                    return answered(search, Optional.of(event.number()));
                }
            }
            if (page.size() < asked.limit()) {
                return answered(search, Optional.empty());
            }
            long last = page.get(page.size() - 1).number();
            return pages == MAX_PAGES || search.isEnough()
                    ? answered(search, Optional.of(last))
                    : read(search, further(asked, last, search.pageSize()), pages + 1);
        });
    }

    private static CompletableFuture<Reply> answered(Search search, Optional<Long> next) {
        return CompletableFuture.completedFuture(search.answer().reply(next));
    }

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

    private static long number(String cursor) {
        try {
            return Long.parseLong(Cursors.decode(cursor));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a cursor of this server; leave it out to start again", e);
        }
    }
}
