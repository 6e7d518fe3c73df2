package dev.holdfast.server.overview;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Of what happened, that which somebody should look at: the newest of each kind about each lock. */
final class Warnings {
    static final int MOST = 10;
    /** Decisions of the guard that leave somebody without what they need, or a database running that nobody can judge. */
    private static final Set<String> FAILING = Set.of("needed", "skipped_unknown");

    private Warnings() {}

    private record Kind(EventType type, RecordKey key) {}

    static List<StoredEvent> of(List<StoredEvent> newestFirst) {
        Set<Kind> told = new HashSet<>();
        // A later decision about the same takes an earlier one back, so only the newest of them counts.
        return newestFirst.stream()
                .filter(stored -> isOfConcern(stored.event().type())
                        && told.add(
                                new Kind(stored.event().type(), stored.event().key()))
                        && isTrouble(stored.event()))
                .limit(MOST)
                .toList();
    }

    private static boolean isOfConcern(EventType type) {
        return switch (type) {
            case EXPIRED, LOST, FORCED, STATE_REFUSED, GUARD_DECISION -> true;
            default -> false;
        };
    }

    private static boolean isTrouble(LockEvent event) {
        return event.type() != EventType.GUARD_DECISION
                || FAILING.contains(event.metadata().getOrDefault("decision", ""));
    }
}
