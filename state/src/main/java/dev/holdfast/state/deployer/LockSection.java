package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** What the document says about its lock. It is shown only: the lock itself decides. */
public record LockSection(Json.Obj json) {
    public LockSection {
        Fields.truth(json, "locked");
        Fields.text(json, "lock_id");
        Fields.text(json, "locked_by");
        Fields.time(json, "locked_at");
        Fields.time(json, "expires_at");
    }

    public boolean locked() {
        return Fields.truth(json, "locked");
    }

    /** Which acquisition. */
    public Optional<String> lockId() {
        return Fields.text(json, "lock_id");
    }

    public Optional<String> lockedBy() {
        return Fields.text(json, "locked_by");
    }

    public Optional<Instant> lockedAt() {
        return Fields.time(json, "locked_at");
    }

    public Optional<Instant> expiresAt() {
        return Fields.time(json, "expires_at");
    }

    public LockSection with(String name, Json value) {
        return new LockSection(json.with(name, value));
    }
}
