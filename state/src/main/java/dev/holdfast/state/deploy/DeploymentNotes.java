package dev.holdfast.state.deploy;

import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.document.StateText;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.wire.json.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a document {@code deployer-state-v1} tells of the deployment that saves it: {@code lock}, who changed it last in
 * {@code metadata}, and at the end an entry of {@code deployment_history}. Other documents, and parts of the wrong kind, stay as they
 * are; so do the checksums, which are over other parts.
 */
public final class DeploymentNotes {
    /** Deployments kept in the document; older ones are in the history of the state. */
    private static final int MAX_HISTORY = 100;

    private final DeployLock lock;
    private final DeployMetadata metadata;
    private final Clock clock;
    private final String deployment;
    private final Instant start;
    private final Map<String, Json> before;
    private byte[] lastGiven = {};
    private byte[] lastNoted = {};

    public DeploymentNotes(DeployLock lock, DeployMetadata metadata, Optional<LoadedState> before, Clock clock) {
        this.lock = lock;
        this.metadata = metadata;
        this.clock = clock;
        this.deployment = metadata.deploymentId()
                .orElseGet(() ->
                        "dep-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12));
        this.start = now();
        this.before = before.flatMap(it -> document(it.content()))
                .map(it -> it.at("resources").members())
                .orElse(Map.of());
    }

    /** As it is saved on the way. The same bytes give the same: a repeated save is recognised by them. */
    public byte[] underWay(byte[] bytes) {
        if (lastNoted.length == 0 || !Arrays.equals(bytes, lastGiven)) {
            lastNoted = document(bytes)
                    .map(it -> it.with("lock", held()))
                    .map(this::changed)
                    .map(Json.Obj::bytes)
                    .orElse(bytes);
            lastGiven = bytes;
        }
        return lastNoted;
    }

    /** As it is saved at the end. */
    public byte[] completed(byte[] bytes) {
        return document(bytes)
                .map(it -> it.with("lock", Json.object().with("locked", Json.of(false))))
                .map(this::changed)
                .map(this::entered)
                .map(Json.Obj::bytes)
                .orElse(bytes);
    }

    private static Optional<Json.Obj> document(byte[] bytes) {
        try {
            return DocumentScan.of(bytes).format().equals(Optional.of(DeployerChecksums.FORMAT))
                            && StateText.read("State", bytes, 0, bytes.length) instanceof Json.Obj object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (StateInvalidException e) {
            return Optional.empty(); // whoever saves it is told
        }
    }

    private Json.Obj held() {
        Optional<Instant> end = lock.lease().expiresAt().map(time -> time.truncatedTo(ChronoUnit.SECONDS));
        return Json.build()
                .with("locked", true)
                .with("lock_id", "token-" + lock.lease().token()) // not the lease id: that is the right to release
                .with("locked_by", metadata.lockedBy())
                .with("locked_at", start.toString())
                .ifPresent("expires_at", end.map(Instant::toString))
                .build();
    }

    private Json.Obj changed(Json.Obj document) {
        if (document.get("metadata").isPresent() && document.object("metadata").isEmpty()) {
            return document;
        }
        Json.Obj changed = document.object("metadata")
                .orElseGet(Json::object)
                .with("last_updated", Json.of(now().toString()))
                .with("last_updated_by", Json.of(metadata.lockedBy()))
                .with("deployment_id", Json.of(deployment));
        changed = with(changed, "git_commit", metadata.gitCommit());
        changed = with(changed, "git_branch", metadata.gitBranch());
        return document.with("metadata", changed);
    }

    private Json.Obj entered(Json.Obj document) {
        Optional<Json> history = document.get("deployment_history");
        if (history.isPresent() && !(history.get() instanceof Json.Arr)) {
            return document;
        }
        List<Json> entries =
                new ArrayList<>(history.map(it -> ((Json.Arr) it).items()).orElse(List.of()));
        boolean told = !entries.isEmpty()
                && entries.get(0) instanceof Json.Obj newest
                && newest.get("deployment_id").equals(Optional.of(Json.of(deployment)));
        if (!told) { // else the work has done it itself
            entries.add(0, entry(document));
        }
        return document.with(
                "deployment_history", new Json.Arr(entries.subList(0, Math.min(MAX_HISTORY, entries.size()))));
    }

    private Json entry(Json.Obj document) {
        return Json.build()
                .with("deployment_id", deployment)
                .with("timestamp", now().toString())
                .with("triggered_by", metadata.lockedBy())
                .ifPresent("git_commit", metadata.gitCommit())
                .with("status", "success")
                .with(
                        "duration_seconds",
                        Math.max(0, Duration.between(start, now()).toSeconds()))
                .with("resources_changed", resourcesChanged(document))
                .build();
    }

    private Json resourcesChanged(Json.Obj document) {
        Map<String, Json> after = document.at("resources").members();
        long created =
                after.keySet().stream().filter(it -> !before.containsKey(it)).count();
        long deleted =
                before.keySet().stream().filter(it -> !after.containsKey(it)).count();
        long updated = after.entrySet().stream()
                .filter(it -> before.containsKey(it.getKey()))
                .filter(it -> !it.getValue().equals(before.get(it.getKey())))
                .count();
        return Json.object()
                .with("created", Json.of(created))
                .with("updated", Json.of(updated))
                .with("deleted", Json.of(deleted));
    }

    private static Json.Obj with(Json.Obj json, String name, Optional<String> value) {
        return value.map(it -> json.with(name, Json.of(it))).orElse(json);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
