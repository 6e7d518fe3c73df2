package dev.holdfast.cli.locks;

import dev.holdfast.Inspector;
import dev.holdfast.cli.watch.EventLine;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a lock was held before.
 *
 * @param last the last hold that ended, however it did
 * @param finished how long the last holds took that were given back, shortest first; what expired or was forced says nothing
 *     about the work
 */
record PastHolds(Optional<LockEvent> last, List<Duration> finished) {
    private static final int HOLDS = 20;
    /** Between two ends of a busy lock there are grants, and comings and goings in its queue. */
    private static final int EVENTS = 500;

    static PastHolds of(Inspector inspector, LockKey key) {
        List<LockEvent> ends = inspector.history(EventQuery.newest(EVENTS).of(key.namespace(), key.name())).stream()
                .map(StoredEvent::event)
                .filter(EventLine::isEnd)
                .toList();
        List<Duration> finished = ends.stream()
                .filter(it -> it.type() == EventType.RELEASED)
                .limit(HOLDS)
                .map(LockEvent::lasted)
                .sorted()
                .toList();
        return new PastHolds(ends.stream().findFirst(), finished);
    }

    /** What programs are told of it; null if nobody has finished. */
    Json usual() {
        return finished.isEmpty()
                ? Json.nil()
                : Json.build()
                        .with("holds", finished.size())
                        .with("median_ms", median().toMillis())
                        .with("longest_ms", longest().toMillis())
                        .build();
    }

    /** How long it usually takes: as many took longer as shorter. Zero if nobody has finished. */
    Duration median() {
        return finished.isEmpty() ? Duration.ZERO : finished.get(finished.size() / 2);
    }

    /** None of them took longer. Zero if nobody has finished. */
    Duration longest() {
        return finished.isEmpty() ? Duration.ZERO : finished.get(finished.size() - 1);
    }
}
