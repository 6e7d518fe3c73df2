package dev.holdfast.server.notify;

import dev.holdfast.model.EventType;
import dev.holdfast.wire.EventJson;
import java.util.Optional;
import java.util.stream.Stream;

/** What webhooks are told of. */
public enum NoticeKind {
    /** A hold that was not renewed for suspiciously long. */
    STALE(EventType.STALE),
    /** A hold that an operator ended. */
    FORCED(EventType.FORCED),
    /** A hold that its own engine gave up. */
    LOST(EventType.LOST),
    /** A hold that ended because it was not renewed in time. */
    EXPIRED(EventType.EXPIRED),
    /** Somebody has waited for long; no event is stored for this. */
    WAITING(),
    /** The guard decided whether to stop or start something. */
    DECISION(EventType.GUARD_DECISION);

    private final Optional<EventType> event;

    NoticeKind(EventType event) {
        this.event = Optional.of(event);
    }

    NoticeKind() {
        this.event = Optional.empty();
    }

    /** In the words of the events. */
    public String label() {
        return event.map(EventType::label).orElse(EventJson.WAITING);
    }

    /** The one with this label. */
    public static Optional<NoticeKind> labelled(String label) {
        return Stream.of(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }

    /** What an event of this type is told as; empty for those that are not told. */
    static Optional<NoticeKind> of(EventType type) {
        for (NoticeKind kind : values()) {
            if (kind.event.isPresent() && kind.event.get() == type) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
