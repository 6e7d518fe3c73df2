package dev.holdfast.state.deployer;

import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A document {@code deployer-state-v1}.
 *
 * <p>It cannot change: {@code with…} gives another. What is not named here survives. {@link #toBytes()} puts in the checksums of
 * {@code resources} and {@code outputs}; {@link #parse} verifies them where they are there.
 *
 * @param json all of it
 */
public record DeployerState(Json.Obj json) {
    /** What it says of itself in {@code format_version}. */
    public static final String FORMAT = DeployerChecksums.FORMAT;
    /** Deployments kept in the document; older ones are in the history of the state. */
    public static final int MAX_HISTORY = 100;

    private static final String RESOURCES = "resources";
    private static final String OUTPUTS = "outputs";
    private static final String HISTORY = "deployment_history";
    private static final String CHECKSUMS = "checksums";

    public DeployerState {
        if (!Fields.text(json, "format_version").equals(Optional.of(FORMAT))) {
            throw new StateInvalidException("'format_version' must be '" + FORMAT + "'");
        }
        Fields.text(json, "version");
        Fields.within("metadata", () -> new Metadata(Fields.object(json, "metadata")));
        Fields.within("lock", () -> new LockSection(Fields.object(json, "lock")));
        Fields.map(json, RESOURCES, Resource::new);
        Fields.object(json, OUTPUTS);
        entries(json);
        Fields.object(json, CHECKSUMS);
    }

    /** A state without resources. */
    public static DeployerState empty(Stack stack) {
        Json.Obj metadata =
                Json.object().with("stack", Json.of(stack.name())).with("environment", Json.of(stack.environment()));
        return new DeployerState(Json.object()
                .with("version", Json.of("1.0.0"))
                .with("format_version", Json.of(FORMAT))
                .with("metadata", metadata)
                .with("lock", Json.object().with("locked", Json.of(false)))
                .with(RESOURCES, Json.object())
                .with(OUTPUTS, Json.object())
                .with(HISTORY, new Json.Arr(List.of())));
    }

    /** Reads one; refuses what is not one, and one whose checksums are wrong. */
    public static DeployerState parse(byte[] bytes) {
        DeployerState state = new DeployerState(Fields.object("the document", json(bytes)));
        DeployerChecksums.problem(bytes).ifPresent(problem -> {
            throw new StateInvalidException(problem);
        });
        return state;
    }

    private static Json json(byte[] bytes) {
        try {
            return Json.parse(bytes);
        } catch (InvalidJsonException e) {
            throw new StateInvalidException(e.problem());
        }
    }

    /** The bytes to be saved, with fresh checksums. */
    public byte[] toBytes() {
        Json.Obj sums = Fields.object(json, CHECKSUMS)
                .with(RESOURCES, Json.of(DeployerChecksums.of(Fields.object(json, RESOURCES))))
                .with(OUTPUTS, Json.of(DeployerChecksums.of(Fields.object(json, OUTPUTS))));
        Json.Obj whole = json;
        for (String section : List.of(RESOURCES, OUTPUTS)) {
            whole = whole.with(section, Fields.object(json, section)); // what has a checksum is there
        }
        return whole.with(CHECKSUMS, sums).bytes();
    }

    /** Of the document's own making, such as {@code 1.0.0}. */
    public Optional<String> version() {
        return Fields.text(json, "version");
    }

    /** Whose it is and who changed it last. */
    public Metadata metadata() {
        return new Metadata(Fields.object(json, "metadata"));
    }

    public LockSection lock() {
        return new LockSection(Fields.object(json, "lock"));
    }

    /** Resources by name, such as {@code user-service/database}. */
    public Map<String, Resource> resources() {
        return Fields.map(json, RESOURCES, Resource::new);
    }

    /** What others use of the stack. */
    public Json.Obj outputs() {
        return Fields.object(json, OUTPUTS);
    }

    /** Deployments, newest first. */
    public List<DeploymentEntry> deploymentHistory() {
        return entries(json);
    }

    /** The checksums it carries; as saved, not as they would be now. */
    public Json.Obj checksums() {
        return Fields.object(json, CHECKSUMS);
    }

    public DeployerState withMetadata(Metadata metadata) {
        return new DeployerState(json.with("metadata", metadata.json()));
    }

    /** The same with another note about its lock. */
    public DeployerState withLock(LockSection lock) {
        return new DeployerState(json.with("lock", lock.json()));
    }

    public DeployerState withResource(String name, Resource resource) {
        return new DeployerState(
                json.with(RESOURCES, Fields.object(json, RESOURCES).with(name, resource.json())));
    }

    public DeployerState withoutResource(String name) {
        return new DeployerState(
                json.with(RESOURCES, Fields.object(json, RESOURCES).without(name)));
    }

    public DeployerState withOutput(String name, Json value) {
        return new DeployerState(json.with(OUTPUTS, Fields.object(json, OUTPUTS).with(name, value)));
    }

    /** The same with one more deployment, the newest; the oldest beyond {@value #MAX_HISTORY} go. */
    public DeployerState withDeployment(DeploymentEntry entry) {
        List<Json> entries = new ArrayList<>(List.of(entry.json()));
        entries.addAll(Fields.items(json, HISTORY));
        return new DeployerState(json.with(
                HISTORY, new Json.Arr(entries.subList(0, Math.min(MAX_HISTORY, entries.size())))));
    }

    private static List<DeploymentEntry> entries(Json.Obj json) {
        return Fields.items(json, HISTORY).stream()
                .map(it -> Fields.within(HISTORY, () -> new DeploymentEntry(Fields.object("entry", it))))
                .toList();
    }
}
