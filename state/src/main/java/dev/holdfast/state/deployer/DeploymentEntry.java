package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** One deployment of the stack. */
public record DeploymentEntry(Json.Obj json) {
    public DeploymentEntry {
        Fields.text(json, "deployment_id");
        Fields.time(json, "timestamp");
        Fields.text(json, "triggered_by");
        Fields.text(json, "git_commit");
        Fields.text(json, "version");
        Fields.text(json, "status");
        Fields.whole(json, "duration_seconds");
        Fields.object(json, "resources_changed");
    }

    public DeploymentEntry() {
        this(Json.object());
    }

    public Optional<String> deploymentId() {
        return Fields.text(json, "deployment_id");
    }

    public Optional<Instant> timestamp() {
        return Fields.time(json, "timestamp");
    }

    public Optional<String> triggeredBy() {
        return Fields.text(json, "triggered_by");
    }

    public Optional<String> gitCommit() {
        return Fields.text(json, "git_commit");
    }

    public Optional<String> version() {
        return Fields.text(json, "version");
    }

    /** How it ended. */
    public Optional<String> status() {
        return Fields.text(json, "status");
    }

    public Optional<Long> durationSeconds() {
        return Fields.whole(json, "duration_seconds");
    }

    /** How many were {@code created}, {@code updated}, {@code deleted}. */
    public Json.Obj resourcesChanged() {
        return Fields.object(json, "resources_changed");
    }

    public DeploymentEntry with(String name, Json value) {
        return new DeploymentEntry(json.with(name, value));
    }
}
