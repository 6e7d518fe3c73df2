package dev.holdfast.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Three pods of an application of Spring Boot, on PostgreSQL")
class PodSyncApplicationTest {
    private static final int PODS = 3;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<JavaProcess> pods = new ArrayList<>();

    @AfterEach
    void end() {
        pods.forEach(JavaProcess::close);
    }

    /** What a pod answered. */
    private record Answer(JavaProcess pod, int status, String body) {}

    @Test
    @DisplayName("synchronise one at a time; the others answer 409 with its name, and all of them show who works")
    void oneWorks() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of this test is for Linux on amd64");
        try (PostgresServer server = PostgresServer.builder().quick().start()) {
            start(server);
            JavaProcess works = oneOfAll();
            List<JavaProcess> others = pods.stream().filter(pod -> pod != works).toList();

            Answer part = call("POST", others.get(0), "/api/sync/project/web");
            assertThat(part.status()).as(part.body()).isEqualTo(409);
            assertThat(part.body()).contains("sync-all already running on " + works.owner());
            assertThat(call("POST", others.get(1), "/api/changelog/sync").status())
                    .isEqualTo(202);
            looks(works, others);

            works.signal("TERM");
            works.exit();
            assertThat(works.output()).contains("sync-all stopped, as the application ends");
            Answer next = call("POST", others.get(0), "/api/sync/project/web");
            assertThat(next.status())
                    .as("released at once, though the lease is an hour: %s", next.body())
                    .isEqualTo(202);
            assertThat(call("POST", others.get(1), "/api/sync/project/shop").status())
                    .isEqualTo(202);
            assertThat(call("POST", others.get(1), "/api/sync").status()).isEqualTo(409);
            assertThat(call("POST", others.get(1), "/api/sync/project/x" + "y".repeat(600))
                            .status())
                    .isEqualTo(400);
        }
    }

    private void start(PostgresServer server) {
        Map<String, String> environment = Map.of(
                "SPRING_DATASOURCE_URL", "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres",
                "SPRING_DATASOURCE_USERNAME", "postgres",
                "SERVER_PORT", "0",
                "SYNC_CRON", "-",
                "SYNC_TAKES", "1h");
        for (int i = 0; i < PODS; i++) {
            pods.add(JavaProgram.of(PodSyncApplication.class)
                    .heap("160m")
                    .with(environment)
                    .with(Map.of("HOSTNAME", "pod-" + i))
                    .merged()
                    .start());
        }
        pods.forEach(pod -> pod.awaitLine("Tomcat started on port"));
    }

    /** Asks all pods twice at the same time: the one that works. */
    private JavaProcess oneOfAll() {
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pods.forEach(pod -> calls.add(CompletableFuture.supplyAsync(() -> call("POST", pod, "/api/sync"))));
        }
        List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();
        List<Answer> started =
                answers.stream().filter(answer -> answer.status() == 202).toList();
        assertThat(started).as(answers.toString()).hasSize(1);
        String owner = started.get(0).pod().owner();
        assertThat(started.get(0).body()).contains("sync-all started on " + owner);
        assertThat(answers.stream().filter(answer -> answer.status() != 202)).allSatisfy(answer -> {
            assertThat(answer.status()).as(answer.body()).isEqualTo(409);
            assertThat(answer.body()).contains("sync-all already running on " + owner);
        });
        return started.get(0).pod();
    }

    private void looks(JavaProcess works, List<JavaProcess> others) {
        JavaProcess other = others.get(0);
        assertThat(call("GET", other, "/api/locks/status").body())
                .contains(
                        "sync-all",
                        works.owner(),
                        "changelog-sync",
                        others.get(1).owner());
        assertThat(call("GET", other, "/api/locks/status?lockName=sync-all").body())
                .contains("sync-all", works.owner())
                .doesNotContain("changelog-sync");
        Await.until(
                "the history knows",
                () -> call("GET", other, "/api/locks/history").body().contains("lock.acquired"));
        assertThat(call("POST", other, "/api/locks/cleanup").body()).contains("\"removed\":0");
        assertThat(call("GET", works, "/actuator/holdfast").body())
                .contains("\"name\":\"sync\"", "\"complete\":true", works.owner());
        assertThat(call("GET", other, "/actuator/holdfast").body()).contains("\"holds\":[]");
        assertThat(call("GET", other, "/actuator/holdfast/sync").body()).contains(works.owner());
        assertThat(call("GET", other, "/actuator/holdfast/sync?namespace=other").body())
                .contains("\"holds\":[]");
        assertThat(call("GET", other, "/actuator/health").body())
                .contains("\"holdfast\":{")
                .contains("\"status\":\"UP\"");
    }

    private Answer call(String method, JavaProcess pod, String path) {
        String line = pod.awaitLine("Tomcat started on port");
        String port = line.replaceAll(".*started on port (\\d+).*", "$1");
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(60))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(pod, response.statusCode(), response.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(uri + ": " + e, e);
        }
    }
}
