package dev.holdfast.server.overview;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The newest of what happened, for people. The guard looks again every few seconds where something is to be stopped; of that, only the
 * last decision about each database is told, and not that its lock was taken for it.
 */
final class NotableEvents {
    static final int MOST = 20;

    private NotableEvents() {}

    static List<StoredEvent> of(List<StoredEvent> newestFirst) {
        Set<RecordKey> guarded = newestFirst.stream()
                .map(StoredEvent::event)
                .filter(event -> event.type() == EventType.GUARD_DECISION)
                .map(LockEvent::key)
                .collect(Collectors.toSet());
        Set<RecordKey> decided = new HashSet<>();
        return newestFirst.stream()
                .filter(stored -> switch (stored.event().type()) {
                    case ACQUIRED, RELEASED -> !guarded.contains(stored.event().key());
                    case GUARD_DECISION -> decided.add(stored.event().key());
                    default -> true;
                })
                .limit(MOST)
                .toList();
    }
}
