package dev.holdfast.server.notify;

import dev.holdfast.model.EventType;
import dev.holdfast.wire.EventJson;
import java.util.Optional;
import java.util.stream.Stream;

/** What webhooks are told of. */
public enum NoticeKind {
    STALE(EventType.STALE),
    FORCED(EventType.FORCED),
    LOST(EventType.LOST),
    EXPIRED(EventType.EXPIRED),
    /** Somebody has waited for long; no event is stored for this. */
    WAITING(),
    DECISION(EventType.GUARD_DECISION);

    private final Optional<EventType> event;

    NoticeKind(EventType event) {
        this.event = Optional.of(event);
    }

    NoticeKind() {
        this.event = Optional.empty();
    }

    public String label() {
        return event.map(EventType::label).orElse(EventJson.WAITING);
    }

    public static Optional<NoticeKind> labelled(String label) {
        return Stream.of(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }

    /** What an event of this type is told as; empty for those that are not told. */
    static Optional<NoticeKind> of(EventType type) {
        return Stream.of(values())
                .filter(kind -> kind.event.equals(Optional.of(type)))
                .findFirst();
    }
}
