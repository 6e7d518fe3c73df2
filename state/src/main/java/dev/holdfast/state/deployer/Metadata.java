package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Optional;

/** Whose state it is and who changed it last. */
public record Metadata(Json.Obj json) {
    public Metadata {
        Fields.text(json, "stack");
        Fields.text(json, "environment");
        Fields.time(json, "last_updated");
        Fields.text(json, "last_updated_by");
        Fields.text(json, "deployment_id");
        Fields.text(json, "git_commit");
        Fields.text(json, "git_branch");
    }

    public Optional<String> stack() {
        return Fields.text(json, "stack");
    }

    public Optional<String> environment() {
        return Fields.text(json, "environment");
    }

    public Optional<Instant> lastUpdated() {
        return Fields.time(json, "last_updated");
    }

    public Optional<String> lastUpdatedBy() {
        return Fields.text(json, "last_updated_by");
    }

    public Optional<String> deploymentId() {
        return Fields.text(json, "deployment_id");
    }

    public Optional<String> gitCommit() {
        return Fields.text(json, "git_commit");
    }

    public Optional<String> gitBranch() {
        return Fields.text(json, "git_branch");
    }

    public Metadata with(String name, Json value) {
        return new Metadata(json.with(name, value));
    }
}
