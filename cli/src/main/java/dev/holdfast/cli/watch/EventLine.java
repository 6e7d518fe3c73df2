package dev.holdfast.cli.watch;

import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import java.util.Optional;

public final class EventLine {
    private EventLine() {}

    public static Table.Cell name(EventType type) {
        return ink(type).map(ink -> Table.Cell.of(ink, type.label())).orElseGet(() -> Table.Cell.of(type.label()));
    }

    public static Optional<TextColour> ink(EventType type) {
        return switch (type) {
            case EXPIRED, LOST, FORCED -> Optional.of(TextColour.BAD);
            case STALE, STATE_REFUSED -> Optional.of(TextColour.CAREFUL);
            case ACQUIRED -> Optional.of(TextColour.GOOD);
            default -> Optional.empty();
        };
    }

    public static String lock(LockEvent event) {
        return KeyText.of(event.key(), event.scope().paths());
    }

    /** Whether a hold ended with it. */
    public static boolean isEnd(LockEvent event) {
        return switch (event.type()) {
            case RELEASED, EXPIRED, LOST, FORCED -> true;
            default -> false;
        };
    }

    /** How long it waited or held, where that is known. */
    public static String lasted(LockEvent event) {
        return switch (event.type()) {
            case ACQUIRED, ABANDONED -> event.lasted().toMillis() == 0 ? "" : "waited " + Ages.of(event.lasted());
            case RELEASED, EXPIRED, LOST, FORCED -> "held " + Ages.of(event.lasted());
            default -> "";
        };
    }

    /** Who did it, if that was another than the owner. */
    public static String actor(LockEvent event) {
        return event.actor().equals(event.owner()) ? "" : event.actor();
    }
}
