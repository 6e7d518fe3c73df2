package dev.holdfast.cli;

import dev.holdfast.Inspector;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long a lock is usually held.
 *
 * @param holds how many were looked at
 * @param median half of them were shorter
 * @param longest none was longer
 * @param last the last of them, as it is in the history
 */
record UsualTime(int holds, Duration median, Duration longest, StoredEvent last) {
    private static final int HOLDS = 20;
    /** Between two ends of a busy lock there are grants and comings and goings in its queue. */
    private static final int EVENTS = 500;

    /** From the last holds that came to an end; those ended by force say nothing about the work. Empty if there is none. */
    static Optional<UsualTime> of(Inspector inspector, LockKey key) {
        List<StoredEvent> ends = inspector.history(EventQuery.newest(EVENTS).of(key.namespace(), key.name())).stream()
                .filter(UsualTime::isEnd)
                .limit(HOLDS)
                .toList();
        if (ends.isEmpty()) {
            return Optional.empty();
        }
        List<Duration> times =
                ends.stream().map(it -> it.event().lasted()).sorted().toList();
        return Optional.of(
                new UsualTime(times.size(), times.get(times.size() / 2), times.get(times.size() - 1), ends.get(0)));
    }

    private static boolean isEnd(StoredEvent stored) {
        return switch (stored.event().type()) {
            case RELEASED, EXPIRED -> true;
            case ACQUIRED, LOST, FORCED, QUEUED, ABANDONED, STALE -> false;
        };
    }
}
