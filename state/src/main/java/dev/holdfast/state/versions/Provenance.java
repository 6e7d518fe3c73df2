package dev.holdfast.state.versions;

import dev.holdfast.model.Names;
import java.util.Optional;

/**
 * Who saves, and for what: written into the version and into the history of the lock.
 *
 * @param by who
 * @param operation what for, such as {@code OperationTypeApply}; may be empty
 * @param lockId the lock's id as shown to people (terraform's {@code ID}); never a lease id that is meant to be secret
 */
public record Provenance(String by, String operation, Optional<String> lockId) {
    public Provenance {
        Names.text("by", by, 1);
        Names.text("operation", operation, 0);
        lockId.ifPresent(id -> Names.text("lock id", id, 1));
    }

    /** Who and what for. */
    public static Provenance of(String by, String operation) {
        return new Provenance(by, operation, Optional.empty());
    }

    /** The same, under a lock with an id for people. */
    public Provenance withLockId(String id) {
        return new Provenance(by, operation, Optional.of(id));
    }
}
