package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** When a resource came and changed. */
public record Lifecycle(Json.Obj json) {
    public Lifecycle {
        Fields.time(json, "created_at");
        Fields.time(json, "last_updated");
        Fields.whole(json, "version");
    }

    public Optional<Instant> createdAt() {
        return Fields.time(json, "created_at");
    }

    public Optional<Instant> lastUpdated() {
        return Fields.time(json, "last_updated");
    }

    /** How often. */
    public Optional<Long> version() {
        return Fields.whole(json, "version");
    }

    public Lifecycle with(String name, Json value) {
        return new Lifecycle(json.with(name, value));
    }
}
