package dev.holdfast.state.deployer;

import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Optional;

/** A resource of a stack. */
public record Resource(Json.Obj json) {
    public Resource {
        Fields.text(json, "kind");
        Fields.text(json, "api_version");
        Fields.text(json, "status");
        Fields.within("lifecycle", () -> new Lifecycle(Fields.object(json, "lifecycle")));
        Fields.object(json, "desired_config");
        Fields.object(json, "actual_state");
        Fields.object(json, "outputs");
        Fields.within("pulumi", () -> new Pulumi(Fields.object(json, "pulumi")));
        Fields.texts(json, "dependencies");
        Fields.within("health", () -> new Health(Fields.object(json, "health")));
        Fields.within("deployment", () -> new Rollout(Fields.object(json, "deployment")));
    }

    public static Resource of(String kind, String apiVersion, String status) {
        return new Resource(Json.object()
                .with("kind", Json.of(kind))
                .with("api_version", Json.of(apiVersion))
                .with("status", Json.of(status)));
    }

    /** What it is, such as {@code RDS}. */
    public Optional<String> kind() {
        return Fields.text(json, "kind");
    }

    /** By which definition. */
    public Optional<String> apiVersion() {
        return Fields.text(json, "api_version");
    }

    /** Such as {@code ready}. */
    public Optional<String> status() {
        return Fields.text(json, "status");
    }

    public Lifecycle lifecycle() {
        return new Lifecycle(Fields.object(json, "lifecycle"));
    }

    /** What was asked for. */
    public Json.Obj desiredConfig() {
        return Fields.object(json, "desired_config");
    }

    /** What there is. */
    public Json.Obj actualState() {
        return Fields.object(json, "actual_state");
    }

    /** What others use of it. */
    public Json.Obj outputs() {
        return Fields.object(json, "outputs");
    }

    public Pulumi pulumi() {
        return new Pulumi(Fields.object(json, "pulumi"));
    }

    /** Resources it needs. */
    public List<String> dependencies() {
        return Fields.texts(json, "dependencies");
    }

    public Health health() {
        return new Health(Fields.object(json, "health"));
    }

    /** Its last deployment; empty if it has none. */
    public Optional<Rollout> deployment() {
        return Fields.optional(json, "deployment").map(Rollout::new);
    }

    public Resource withStatus(String status) {
        return with("status", Json.of(status));
    }

    public Resource withDependencies(List<String> names) {
        return with("dependencies", Json.array(names, Json::of));
    }

    public Resource with(String name, Json value) {
        return new Resource(json.with(name, value));
    }
}
