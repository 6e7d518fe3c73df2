package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.FakeEndpoint;
import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import dev.holdfast.guard.actuator.FakeEndpoint.Asked;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An API server with one workload: versions, merge patches with compare-and-set, a controller that takes some looks. */
final class FakeKubernetes implements AutoCloseable {
    static final String PATH = "/apis/apps/v1/namespaces/data/statefulsets/orders-db";

    final FakeEndpoint endpoint;
    final Map<String, String> annotations = new TreeMap<>(Map.of("other/thing", "stays"));
    final Deque<Answer> patches = new ArrayDeque<>();
    /** Run before each patch is judged. */
    Runnable meddler = () -> {};

    long version = 100;
    long replicas = 3;
    long actual = 3;
    int looksPerChange = 2;
    private int looks;

    FakeKubernetes() throws IOException {
        endpoint = new FakeEndpoint(this::answer);
    }

    private Answer answer(Asked asked) {
        if (!asked.header("Authorization").equals("Bearer account-token")) {
            return status(401, "Unauthorized");
        }
        if (!asked.path().equals(PATH)) {
            return status(404, "not found");
        }
        if (asked.method().equals("GET")) {
            if (actual != replicas && looks++ >= looksPerChange) {
                actual = replicas;
                looks = 0;
                version++;
            }
            return new Answer(200, object());
        }
        meddler.run();
        if (!patches.isEmpty()) {
            return patches.remove();
        }
        if (!asked.method().equals("PATCH") || !asked.header("Content-Type").equals("application/merge-patch+json")) {
            return status(415, "what is this");
        }
        return patch(Json.parse(asked.body().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    private Answer patch(Json patch) {
        if (!patch.at("metadata", "resourceVersion").text().orElse("").equals(Long.toString(version))) {
            return status(409, "the object has been modified; please apply your changes to the latest version");
        }
        patch.at("metadata", "annotations").members().forEach((key, value) -> {
            if (value.isNull()) {
                annotations.remove(key);
            } else {
                annotations.put(key, value.text().orElseThrow());
            }
        });
        replicas = patch.at("spec", "replicas").number().orElse(replicas);
        version++;
        return new Answer(200, object());
    }

    static Answer status(int code, String message) {
        return new Answer(
                code,
                "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"" + message + "\",\"code\":" + code + "}");
    }

    private String object() {
        String noted = annotations.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(","));
        return "{\"kind\":\"StatefulSet\",\"metadata\":{\"name\":\"orders-db\",\"generation\":5,\"resourceVersion\":\""
                + version + "\",\"annotations\":{" + noted + "}},\"spec\":{\"replicas\":" + replicas
                + ",\"template\":{\"spec\":{\"containers\":[{\"cpu\":1.5}]}}},\"status\":{\"observedGeneration\":5"
                + (actual == 0 ? "" : ",\"replicas\":" + actual + ",\"readyReplicas\":" + actual) + "}}";
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
