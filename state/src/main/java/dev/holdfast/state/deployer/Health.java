package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** How a resource does. */
public record Health(Json.Obj json) {
    public Health {
        Fields.text(json, "status");
        Fields.time(json, "last_check");
        Fields.object(json, "checks");
    }

    /** Such as {@code healthy}. */
    public Optional<String> status() {
        return Fields.text(json, "status");
    }

    public Optional<Instant> lastCheck() {
        return Fields.time(json, "last_check");
    }

    /** Single checks by name, each with {@code status} and {@code last_check}. */
    public Json.Obj checks() {
        return Fields.object(json, "checks");
    }

    public Health with(String name, Json value) {
        return new Health(json.with(name, value));
    }
}
