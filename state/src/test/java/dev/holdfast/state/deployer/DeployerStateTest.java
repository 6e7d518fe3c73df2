package dev.holdfast.state.deployer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a deployer-state-v1 document")
final class DeployerStateTest {
    private static final String TEXT = """
            {"version":"1.0.0","format_version":"deployer-state-v1","x-top":[1,2.50,null,true],
             "metadata":{"stack":"user-platform","environment":"production","last_updated":"2024-01-15T14:20:00Z",
               "last_updated_by":"github-actions-run-12345","deployment_id":"dep-abc123def456","git_commit":"a1b2c3d4e5f6",
               "git_branch":"main","x-meta":"m"},
             "lock":{"locked":false,"lock_id":null,"locked_by":null,"locked_at":null,"expires_at":null,"x-lock":1},
             "resources":{
               "user-service/api":{"kind":"MicroService","api_version":"components.deployer.io/v1","status":"ready",
                 "lifecycle":{"created_at":"2024-01-10T10:10:00Z","last_updated":"2024-01-15T14:20:00Z","version":8,"x-life":1},
                 "desired_config":{"image":{"tag":"v1.2.3"}},"actual_state":{"running_count":5},
                 "outputs":{"url":"http://user-api"},"pulumi":{"urns":["urn:a","urn:b"],"x-pulumi":{}},
                 "dependencies":["user-service/database"],
                 "health":{"status":"healthy","checks":{"readiness":{"status":"passing","x-check":1}},"last_check":"2024-01-15T14:30:20Z"},
                 "deployment":{"last_deployment_id":"dep-abc123def456","last_deployment_at":"2024-01-15T14:20:00Z",
                   "last_deployment_duration_seconds":342,"rollout_status":"completed","x-deployment":"d"},
                 "x-resource":"r"},
               "user-service/database":{"kind":"RDS","status":"ready","pulumi":{"urn":"urn:c","id":"user-db"},"dependencies":[]}},
             "outputs":{"userServiceApiUrl":"https://api.company.com/users","z":1},
             "deployment_history":[{"deployment_id":"dep-abc123def456","timestamp":"2024-01-15T14:20:00Z",
               "triggered_by":"github-actions-run-12345","git_commit":"a1b2c3d4e5f6","version":"v1.2.3","status":"success",
               "duration_seconds":342,"resources_changed":{"created":0,"updated":3,"deleted":0,"x-changed":1},"x-entry":1}],
             "checksums":{"resources":"sha256:abc123...","outputs":"sha256:def456...","x-sum":"s"}}""";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("is modelled in full")
    void model() {
        DeployerState state = DeployerState.parse(bytes(TEXT));
        assertThat(state.version()).contains("1.0.0");
        assertThat(state.metadata().stack()).contains("user-platform");
        assertThat(state.metadata().lastUpdated()).contains(Instant.parse("2024-01-15T14:20:00Z"));
        assertThat(state.metadata().gitBranch()).contains("main");
        assertThat(state.lock().locked()).isFalse();
        assertThat(state.lock().lockedBy()).isEmpty();
        assertThat(state.resources()).containsOnlyKeys("user-service/api", "user-service/database");
        Resource api = state.resources().get("user-service/api");
        assertThat(api.kind()).contains("MicroService");
        assertThat(api.lifecycle().version()).contains(8L);
        assertThat(api.desiredConfig().get("image")).isPresent();
        assertThat(api.actualState().get("running_count")).contains(Json.of(5));
        assertThat(api.pulumi().urns()).containsExactly("urn:a", "urn:b");
        assertThat(api.dependencies()).containsExactly("user-service/database");
        assertThat(api.health().status()).contains("healthy");
        assertThat(api.deployment().orElseThrow().durationSeconds()).contains(342L);
        assertThat(state.resources().get("user-service/database").deployment()).isEmpty();
        assertThat(state.outputs().get("z")).contains(Json.of(1));
        DeploymentEntry entry = state.deploymentHistory().get(0);
        assertThat(entry.status()).contains("success");
        assertThat(entry.resourcesChanged().get("updated")).contains(Json.of(3));
        assertThat(state.checksums().get("outputs")).contains(Json.of("sha256:def456..."));
    }

    @Test
    @DisplayName("keeps unknown fields at every level, and numbers as they were written")
    void roundTrip() {
        DeployerState state = DeployerState.parse(bytes(TEXT));
        assertThat(new String(state.json().bytes(), StandardCharsets.UTF_8)).isEqualTo(TEXT.replaceAll("\\n\\s*", ""));
        DeployerState changed = state.withMetadata(state.metadata().with("git_branch", Json.of("release")))
                .withLock(state.lock().with("locked", Json.of(true)))
                .withResource(
                        "user-service/api",
                        state.resources().get("user-service/api").withStatus("updating"))
                .withOutput("new", Json.of("o"))
                .withDeployment(new DeploymentEntry().with("status", Json.of("success")));
        String text = new String(changed.toBytes(), StandardCharsets.UTF_8);
        for (String unknown : List.of(
                "\"x-top\":[1,2.50,null,true]",
                "\"x-meta\":\"m\"",
                "\"x-lock\":1",
                "\"x-life\":1",
                "\"x-pulumi\":{}",
                "\"x-check\":1",
                "\"x-deployment\":\"d\"",
                "\"x-resource\":\"r\"",
                "\"x-entry\":1",
                "\"x-changed\":1",
                "\"x-sum\":\"s\"")) {
            assertThat(text).contains(unknown);
        }
        assertThat(changed.deploymentHistory()).hasSize(2);
    }

    @Test
    @DisplayName("carries checksums of resources and outputs that any order and spacing of members satisfies")
    void checksums() {
        DeployerState state = DeployerState.parse(bytes(TEXT));
        byte[] saved = state.toBytes();
        assertThat(DeployerChecksums.problem(saved)).isEmpty();
        String text = new String(saved, StandardCharsets.UTF_8);
        assertThat(DeployerChecksums.problem(bytes(text.replace(":", " : ")
                        .replace(",", " ,\n")
                        .replace("http : ", "http:")
                        .replace("https : ", "https:")
                        .replace("sha256 : ", "sha256:")
                        .replace("urn : ", "urn:")
                        .replaceAll("([0-9]) : ([0-9])", "$1:$2")
                        .replaceAll("([0-9]) : ([0-9])", "$1:$2"))))
                .isEmpty();
        assertThat(DeployerChecksums.problem(bytes(text.replace("\"running_count\":5", "\"running_count\":6"))))
                .hasValueSatisfying(it -> assertThat(it).contains("resources"));
        assertThat(DeployerChecksums.problem(bytes(text.replace("\"z\":1}", "\"z\":2}"))))
                .hasValueSatisfying(it -> assertThat(it).contains("outputs"));
        assertThatThrownBy(() -> DeployerState.parse(bytes(text.replace("\"z\":1}", "\"z\":2}"))))
                .isInstanceOf(StateInvalidException.class);
    }

    @Test
    @DisplayName("has the checksum anybody can compute: compact JSON, members sorted")
    void known() {
        DeployerState state = DeployerState.empty(new Stack("a", "b"))
                .withOutput("b", Json.of("é"))
                .withOutput("a", Json.of(1));
        // python3: sha256(json.dumps({"b": "é", "a": 1}, sort_keys=True, separators=(",", ":"),
        // ensure_ascii=False).encode())
        assertThat(DeployerChecksums.of(state.outputs()))
                .isEqualTo("sha256:09ad9fd2fb648cb2f62141215828ea00a62c299db05d20aa9ade2f527a301cc6");
        assertThat(DeployerChecksums.problem(state.toBytes())).isEmpty();
        assertThat(DeployerChecksums.of(Json.object()))
                .isEqualTo("sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    @Test
    @DisplayName("never shows its content by accident")
    void toStrings() {
        assertThat(DeployerState.parse(bytes(TEXT)) + ""
                        + DeployerState.parse(bytes(TEXT)).resources())
                .doesNotContain("running_count")
                .doesNotContain("http");
    }

    @Test
    @DisplayName("is refused with the place that is wrong")
    void wrong() {
        assertThatThrownBy(() -> DeployerState.parse(bytes("{\"format_version\":\"other\"}")))
                .isInstanceOf(StateInvalidException.class)
                .hasMessageContaining("format_version");
        assertThatThrownBy(() -> DeployerState.parse(bytes(TEXT.replace("\"version\":8", "\"version\":\"8\""))))
                .isInstanceOf(StateInvalidException.class)
                .hasMessageContaining("user-service/api")
                .hasMessageContaining("lifecycle")
                .hasMessageContaining("version");
        assertThatThrownBy(() -> DeployerState.parse(bytes("[]"))).isInstanceOf(StateInvalidException.class);
    }

    @Test
    @DisplayName("keeps at most a hundred deployments")
    void bounded() {
        DeployerState state = DeployerState.empty(new Stack("a", "b"));
        for (int i = 0; i < 120; i++) {
            state = state.withDeployment(new DeploymentEntry().with("deployment_id", Json.of("d" + i)));
        }
        assertThat(state.deploymentHistory()).hasSize(DeployerState.MAX_HISTORY);
        assertThat(state.deploymentHistory().get(0).deploymentId()).contains("d119");
    }
}
