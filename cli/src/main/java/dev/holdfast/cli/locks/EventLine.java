package dev.holdfast.cli.locks;

import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Table;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import java.util.Optional;

/** What people see of an event. */
final class EventLine {
    private EventLine() {}

    static Table.Cell name(EventType type) {
        return ink(type).map(ink -> Table.Cell.of(ink, type.label())).orElseGet(() -> Table.Cell.of(type.label()));
    }

    static Optional<Ink> ink(EventType type) {
        return switch (type) {
            case EXPIRED, LOST, FORCED -> Optional.of(Ink.BAD);
            case STALE, STATE_REFUSED -> Optional.of(Ink.CAREFUL);
            case ACQUIRED -> Optional.of(Ink.GOOD);
            default -> Optional.empty();
        };
    }

    /** The lock, with its namespace if that does not go without saying, and the path. */
    static String lock(LockEvent event, boolean namespaces) {
        String paths = LockLines.paths(event.scope().paths());
        String whole = namespaces ? event.key().toString() : event.key().name();
        return paths.isEmpty() ? whole : whole + "/" + paths;
    }

    /** How long it waited or held, where that is known. */
    static String lasted(LockEvent event) {
        return switch (event.type()) {
            case ACQUIRED, ABANDONED -> event.lasted().toMillis() == 0 ? "" : "waited " + Ages.of(event.lasted());
            case RELEASED, EXPIRED, LOST, FORCED -> "held " + Ages.of(event.lasted());
            default -> "";
        };
    }

    /** Who did it, if that was another than the owner. */
    static String actor(LockEvent event) {
        return event.actor().equals(event.owner()) ? "" : event.actor();
    }
}
