package dev.holdfast.model;

import java.util.Map;
import java.util.Optional;

/**
 * Something worth remembering about what a lock protects, to be written into the history of that lock.
 *
 * @param type what happened; one that {@link EventType#isNote()}
 * @param path to which part
 * @param lease the acquisition it happened under, if there is one
 * @param owner whose that was, or who did it
 * @param token the fencing token it happened under; {@link Token#NONE} without one
 * @param reason why, in a few words; may be empty
 * @param metadata what else to know; bounds as in {@link Terms}
 */
public record Note(
        EventType type,
        LockPath path,
        Optional<LeaseId> lease,
        String owner,
        Token token,
        String reason,
        Map<String, String> metadata) {
    /** Checks every bound. */
    public Note {
        if (!type.isNote()) {
            throw new IllegalArgumentException(
                    "an event of type '" + type.label() + "' follows from a change of the lock and cannot be noted");
        }
        Names.text("owner", owner, 1);
        Names.text("reason", reason, 0);
        metadata = Terms.metadata(metadata);
    }

    /** A note about the whole, outside any acquisition. */
    public static Note of(EventType type, String owner, String reason, Map<String, String> metadata) {
        return new Note(type, LockPath.WHOLE, Optional.empty(), owner, Token.NONE, reason, metadata);
    }
}
