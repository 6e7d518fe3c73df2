package dev.holdfast.cli.connect;

import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A listing that comes in pages, as one: each page is read when it is needed. */
public final class PagedItems {
    private PagedItems() {}

    /** A part of a listing; {@code next} is where to go on, empty at the end. */
    public record Page<T, C>(List<T> items, Optional<C> next) {}

    public static Stream<LockView> locks(Inspector inspector, ScanRequest request) {
        return of((Optional<String> place) -> {
            Inspector.Locks page = inspector.list(place.isPresent() ? request.from(place) : request);
            return new Page<>(page.locks(), page.next());
        });
    }

    /** Events, newest first. */
    public static Stream<StoredEvent> events(Inspector inspector, EventQuery query) {
        return of((Optional<Long> before) -> {
            List<StoredEvent> events =
                    inspector.history(before.map(query::before).orElse(query));
            boolean more = events.size() == query.limit();
            return new Page<>(
                    events, more ? Optional.of(events.get(events.size() - 1).number()) : Optional.<Long>empty());
        });
    }

    /** All items, with what reads the page at a place; the first is at none. */
    public static <T, C> Stream<T> of(Function<Optional<C>, Page<T, C>> read) {
        return Stream.iterate(
                        Optional.of(read.apply(Optional.empty())),
                        Optional::isPresent,
                        page -> page.orElseThrow().next().map(place -> read.apply(Optional.of(place))))
                .flatMap(page -> page.orElseThrow().items().stream());
    }
}
