package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.StopOrStart;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A Deployment or StatefulSet as read.
 *
 * @param version its resourceVersion: a change is made to exactly this one or not at all
 * @param replicas how many are wished
 * @param state what that comes to
 * @param token the newest fencing token that acted on it, 0 if none did
 * @param before how many there were before it was stopped
 */
record WorkloadState(String version, long replicas, ResourceState state, long token, Optional<Long> before) {
    static final String TOKEN = "holdfast.dev/fencing-token";
    static final String BEFORE = "holdfast.dev/replicas-before";

    static WorkloadState of(Json object, Workload workload) throws ActFailure {
        Optional<String> version = object.at("metadata", "resourceVersion").text();
        if (version.isEmpty() || !(object.at("spec") instanceof Json.Obj)) {
            throw new ActFailure("the API server's answer does not describe " + workload.shown());
        }
        // Left out, it is 1.
        long replicas = object.at("spec", "replicas").number().orElse(1);
        return new WorkloadState(
                version.get(),
                replicas,
                state(object, replicas),
                annotated(object, TOKEN, workload).orElse(0L),
                annotated(object, BEFORE, workload));
    }

    private static ResourceState state(Json object, long replicas) {
        boolean current = object.at("status", "observedGeneration").number().orElse(0)
                >= object.at("metadata", "generation").number().orElse(0);
        if (replicas == 0) {
            boolean gone = object.at("status", "replicas").number().orElse(0) == 0;
            return current && gone ? ResourceState.STOPPED : ResourceState.STOPPING;
        }
        boolean ready = object.at("status", "readyReplicas").number().orElse(0) > 0;
        return current && ready ? ResourceState.RUNNING : ResourceState.STARTING;
    }

    private static Optional<Long> annotated(Json object, String key, Workload workload) throws ActFailure {
        Optional<String> text = object.at("metadata", "annotations", key).text();
        if (text.isPresent() && !text.get().matches("[0-9]{1,18}")) {
            throw new ActFailure("the annotation " + key + " of " + workload.shown() + " is '" + text.get()
                    + "', not a number; remove it when nobody acts on the resource");
        }
        return text.map(Long::valueOf);
    }

    /** The merge patch that takes this version, and no other, to the aim. */
    String patch(StopOrStart aim, long newToken, long fewest) {
        ObjectBuilder annotations = Json.build().with(TOKEN, Long.toString(newToken));
        if (aim == StopOrStart.STOP && replicas > 0) {
            annotations.with(BEFORE, Long.toString(replicas));
        } else if (aim == StopOrStart.START) {
            annotations.with(BEFORE, Json.nil());
        }
        ObjectBuilder patch = Json.build()
                .with(
                        "metadata",
                        Json.build()
                                .with("resourceVersion", version)
                                .with("annotations", annotations.build())
                                .build());
        if (aim == StopOrStart.STOP || replicas == 0) {
            long wished = aim == StopOrStart.STOP ? 0 : Math.max(1, before.orElse(fewest));
            patch.with("spec", Json.build().with("replicas", wished).build());
        }
        return new String(patch.build().bytes(), StandardCharsets.UTF_8);
    }

    /** Whether nothing is left to write. */
    boolean written(StopOrStart aim, long newToken) {
        return token == newToken && (aim == StopOrStart.STOP) == (replicas == 0);
    }
}
