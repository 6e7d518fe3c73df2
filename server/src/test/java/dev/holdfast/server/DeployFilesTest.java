package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files that put the server into containers say what the server understands. */
class DeployFilesTest {
    private static final Path DEPLOY = Path.of("../examples/deploy");
    private static final Path DOCKERFILE = Path.of("../Dockerfile");

    /** What Kubernetes or Docker do before they ask the process to end, and what is left over. */
    private static final Duration AROUND_THE_GRACE = Duration.ofSeconds(10);

    @TempDir
    private Path elsewhere;

    @Test
    @DisplayName(
            "the image runs as a fixed user that is not root, and its variables are settings that need only say who may call")
    void image() throws IOException {
        String text = Files.readString(DOCKERFILE);
        Map<String, String> variables = variables(text);

        assertThat(text).containsPattern("(?m)^USER 10001:10001$").containsPattern("(?m)^ENTRYPOINT \\[\"java\"");
        assertThat(text).containsPattern("(?s)HEALTHCHECK.*\"health\"]");
        variables.put("AUTHENTICATION_DISABLED", "true");
        Settings settings = Settings.load(List.of(), variables, elsewhere);
        assertThat(settings.get(ServerSettings.HOST)).isEqualTo("0.0.0.0");
        assertThat(text).contains("EXPOSE " + settings.get(ServerSettings.PORT));
        assertThat(text).contains("VOLUME " + settings.get(ServerSettings.DATA));
        assertThat(settings.notes()).isEmpty();
    }

    private static Map<String, String> variables(String dockerfile) {
        Map<String, String> variables = new HashMap<>();
        Matcher block = Pattern.compile("(?m)^ENV ((?:.*\\\\\n)*.*)$").matcher(dockerfile);
        assertThat(block.find()).isTrue();
        Matcher entry = Pattern.compile("([A-Z_]+)=(\\S+)").matcher(block.group(1));
        while (entry.find()) {
            variables.put(entry.group(1), entry.group(2));
        }
        return variables;
    }

    @Test
    @DisplayName("compose: three servers on one PostgreSQL, with time to stop")
    void compose() throws IOException {
        Map<?, ?> server = at(documents("server-compose.yaml").get(0), "services", "holdfast");
        Map<String, String> variables = variables(Files.readString(DOCKERFILE));
        at(server, "environment").forEach((name, value) -> variables.put((String) name, (String) value));
        Settings settings = Settings.load(List.of(), variables, elsewhere);

        assertThat(settings.get(StoreSettings.STORE))
                .startsWith("postgresql://")
                .contains("@database/");
        assertThat(settings.get(AuthSettings.DISABLED)).isTrue();
        assertThat(settings.get(ServerSettings.ALLOWED_HOSTS))
                .as("how the other services call it")
                .contains("holdfast");
        assertThat(at(server, "deploy").get("replicas")).isEqualTo(3);
        Duration stop = Duration.parse("PT" + server.get("stop_grace_period"));
        assertThat(stop.minus(AROUND_THE_GRACE)).isGreaterThan(settings.get(ServerSettings.SHUTDOWN_GRACE));
    }

    @Test
    @DisplayName("Kubernetes: three replicas that are not root, probed where the server answers, with time to stop")
    void kubernetes() throws IOException {
        List<Map<?, ?>> documents = documents("server-kubernetes.yaml");
        Map<?, ?> deployment = at(documents.get(0), "spec");
        Map<?, ?> pod = at(deployment, "template", "spec");
        Map<?, ?> container = (Map<?, ?>) ((List<?>) pod.get("containers")).get(0);
        Settings sample = Settings.load(
                List.of("--config=" + DEPLOY.resolve("holdfast.yaml").toAbsolutePath()), Map.of(), elsewhere);

        assertThat(documents)
                .extracting(document -> document.get("kind"))
                .asString()
                .isEqualTo("[Deployment, Service, PodDisruptionBudget]");
        assertThat(deployment.get("replicas")).isEqualTo(3);
        assertThat(at(pod, "securityContext").get("runAsNonRoot")).isEqualTo(true);
        assertThat(at(pod, "securityContext").get("runAsUser")).isEqualTo(10001);
        assertThat(at(container, "securityContext").get("readOnlyRootFilesystem"))
                .isEqualTo(true);
        Duration stop = Duration.ofSeconds((Integer) pod.get("terminationGracePeriodSeconds"));
        assertThat(stop.minus(AROUND_THE_GRACE)).isGreaterThan(sample.get(ServerSettings.SHUTDOWN_GRACE));
        try (TestServer server = TestServer.onMemory()) {
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                String path = (String) at(container, probe, "httpGet").get("path");
                assertThat(server.get(path).status()).as(probe).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("Kubernetes: the variables and flags of the container are understood")
    void kubernetesSettings() throws IOException {
        Map<?, ?> pod = at(documents("server-kubernetes.yaml").get(0), "spec", "template", "spec");
        Map<?, ?> container = (Map<?, ?>) ((List<?>) pod.get("containers")).get(0);
        Path secret = Files.writeString(elsewhere.resolve("url"), "postgresql://user:password@host/database\n");
        Map<String, String> variables = variables(Files.readString(DOCKERFILE));
        for (Object one : (List<?>) container.get("env")) {
            variables.put((String) ((Map<?, ?>) one).get("name"), secret.toString());
        }

        assertThat((List<?>) container.get("args"))
                .asString()
                .isEqualTo("[serve, --config=/etc/holdfast/holdfast.yaml]");
        Settings settings = Settings.load(
                List.of("--config=" + DEPLOY.resolve("holdfast.yaml").toAbsolutePath()), variables, elsewhere);
        assertThat(settings.get(StoreSettings.STORE)).isEqualTo("postgresql://user:password@host/database");
        assertThat(settings.notes()).isEmpty();
    }

    private static List<Map<?, ?>> documents(String file) throws IOException {
        List<Map<?, ?>> all = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(Files.readString(DEPLOY.resolve(file)))
                .forEach(document -> all.add((Map<?, ?>) document));
        return all;
    }

    private static Map<?, ?> at(Map<?, ?> tree, String... names) {
        Map<?, ?> found = tree;
        for (String name : names) {
            found = (Map<?, ?>) found.get(name);
            assertThat(found).as(name).isNotNull();
        }
        return found;
    }
}
