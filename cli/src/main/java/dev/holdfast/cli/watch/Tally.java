package dev.holdfast.cli.watch;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Counts what happened to locks lately, by the times of the store. Safe for any thread. */
final class Tally {
    /** However busy a server is, the memory of a command is bounded: then the window is shorter than it should be. */
    static final int MOST = 100_000;

    private final Duration window;
    private final Deque<TalliedEvent> seen = new ArrayDeque<>();
    private long newest = -1;
    private Optional<Instant> now = Optional.empty();

    Tally(Duration window) {
        this.window = window;
    }

    private record TalliedEvent(RecordKey key, boolean acquired, Instant at, Duration lasted) {
        Count count() {
            return acquired ? new Count(1, List.of(lasted), Duration.ZERO) : new Count(0, List.of(), lasted);
        }
    }

    /**
     * What happened to one lock in the window.
     *
     * @param acquired how often it was taken
     * @param waits how long those who took it had waited, shortest first
     * @param held how long holds lasted that ended
     */
    record Count(int acquired, List<Duration> waits, Duration held) {
        static final Count NONE = new Count(0, List.of(), Duration.ZERO);

        static Count of(List<Count> counts) {
            List<Duration> waits = new ArrayList<>();
            Duration held = Duration.ZERO;
            for (Count count : counts) {
                waits.addAll(count.waits());
                held = held.plus(count.held());
            }
            Collections.sort(waits);
            return new Count(waits.size(), waits, held);
        }

        /** This part of the waits was shorter; zero if there were none. */
        Duration wait(double part) {
            return waits.isEmpty() ? Duration.ZERO : waits.get((int) Math.ceil(part * waits.size()) - 1);
        }
    }

    /** Adds an event, unless it was added before: the history and what happens meanwhile may overlap. */
    synchronized void add(StoredEvent stored) {
        LockEvent event = stored.event();
        boolean later = now.map(event.at()::isAfter).orElse(true);
        if (stored.number() <= newest && !later) { // with a smaller number and later: of a history that begins anew
            return;
        }
        newest = stored.number();
        boolean acquired = event.type() == EventType.ACQUIRED;
        if (acquired || EventLine.isEnd(event)) {
            seen.addLast(new TalliedEvent(event.key(), acquired, event.at(), event.lasted()));
        }
        at(event.at());
        while (seen.size() > MOST) {
            seen.removeFirst();
        }
    }

    /** It is at least this late by the store's clock: what is older than the window is forgotten. */
    synchronized void at(Instant time) {
        now = Optional.of(now.filter(it -> it.isAfter(time)).orElse(time));
        Instant start = now.get().minus(window);
        while (!seen.isEmpty() && seen.peekFirst().at().isBefore(start)) {
            seen.removeFirst();
        }
    }

    synchronized Map<RecordKey, Count> byLock() {
        return seen.stream()
                .collect(Collectors.groupingBy(
                        TalliedEvent::key,
                        Collectors.collectingAndThen(
                                Collectors.mapping(TalliedEvent::count, Collectors.toList()), Count::of)));
    }
}
