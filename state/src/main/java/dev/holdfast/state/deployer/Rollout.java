package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** The last deployment of a resource. */
public record Rollout(Json.Obj json) {
    public Rollout {
        Fields.text(json, "last_deployment_id");
        Fields.time(json, "last_deployment_at");
        Fields.whole(json, "last_deployment_duration_seconds");
        Fields.text(json, "rollout_status");
    }

    public Optional<String> deploymentId() {
        return Fields.text(json, "last_deployment_id");
    }

    public Optional<Instant> deployedAt() {
        return Fields.time(json, "last_deployment_at");
    }

    public Optional<Long> durationSeconds() {
        return Fields.whole(json, "last_deployment_duration_seconds");
    }

    /** How it ended. */
    public Optional<String> status() {
        return Fields.text(json, "rollout_status");
    }

    public Rollout with(String name, Json value) {
        return new Rollout(json.with(name, value));
    }
}
