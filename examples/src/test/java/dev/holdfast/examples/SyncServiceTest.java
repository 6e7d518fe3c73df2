package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Three pods of a web service")
class SyncServiceTest {
    private static final int PODS = 3;
    private static final Map<String, String> BY_HAND = Map.of("SYNC_TAKES", "PT1H", "SYNC_EVERY", "PT0S", "PORT", "0");

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<JavaProcess> pods = new ArrayList<>();

    @AfterEach
    void end() {
        pods.forEach(JavaProcess::close);
    }

    /** What a pod answered. */
    private record Answer(JavaProcess pod, int status, String body) {
        String text(String field) {
            Json.Obj object = (Json.Obj) Json.parse(body.getBytes(StandardCharsets.UTF_8));
            byte[] value = object.get(field)
                    .orElseThrow(() -> new AssertionError(body))
                    .bytes();
            return new String(value, StandardCharsets.UTF_8).replace("\"", "");
        }
    }

    @Test
    @DisplayName(
            "called at the same time, one works and the others say 409 with its name; parts and the whole exclude each other")
    void oneWorks() {
        start(Databases.POSTGRESQL.fresh(directory), BY_HAND);
        List<Answer> all = postEverywhere("/api/sync", 3);
        Answer works = only(all, it -> it.status() == 202);
        assertThat(works.text("pod")).isEqualTo(works.pod().owner());
        assertThat(all.stream().filter(it -> it.status() != 202))
                .hasSize(3 * PODS - 1)
                .allSatisfy(it -> {
                    assertThat(it.status()).as(it.body()).isEqualTo(409);
                    assertThat(it.text("error"))
                            .isEqualTo(
                                    "sync-all already running on " + works.pod().owner());
                    assertThat(it.text("pod")).isEqualTo(works.pod().owner());
                    assertThat(Instant.parse(it.text("since")))
                            .isBetween(
                                    Instant.now().minusSeconds(300),
                                    Instant.now().plusSeconds(60));
                });

        Answer project = post(pods.get(1), "/api/sync/project/web");
        assertThat(project.status()).isEqualTo(409);
        assertThat(project.text("error"))
                .isEqualTo("sync-all already running on " + works.pod().owner());
        assertThat(post(pods.get(2), "/api/changelog/sync").status()).isEqualTo(202);

        works.pod().signal("TERM");
        works.pod().exit();
        works.pod().awaitLine("sync-all stopped on " + works.pod().owner());
        List<JavaProcess> left = pods.stream().filter(JavaProcess::runs).toList();
        assertThat(post(left.get(0), "/api/sync/project/web").status())
                .as("released at once: the lease is an hour")
                .isEqualTo(202);
        assertThat(post(left.get(1), "/api/sync/project/shop").status()).isEqualTo(202);
        Answer whole = post(left.get(1), "/api/sync");
        assertThat(whole.status()).isEqualTo(409);
        assertThat(whole.text("job")).startsWith("sync-project-");

        String status = get(left.get(1), "/api/locks/status").body();
        assertThat(status)
                .contains("sync-project-web", "sync-project-shop", left.get(0).owner());
        assertThat(get(left.get(1), "/api/locks/status?lockName=sync-project-shop")
                        .body())
                .contains("sync-project-shop", left.get(1).owner())
                .doesNotContain("sync-project-web");
    }

    @Test
    @DisplayName("a pod that is killed is replaced when its lease has expired, not before")
    void theDeadAreReplaced() {
        Map<String, String> shortLease = new HashMap<>(BY_HAND);
        shortLease.put("SYNC_ALL_LEASE", "PT3S");
        start(Databases.POSTGRESQL.fresh(directory), shortLease);
        Answer first = post(pods.get(0), "/api/sync");
        assertThat(first.status()).as(first.body()).isEqualTo(202);

        pods.get(0).signal("KILL");

        assertThat(post(pods.get(1), "/api/sync").status()).isEqualTo(409);
        List<Integer> answers = new ArrayList<>();
        Await.until("another works", () -> {
            answers.add(post(pods.get(1), "/api/sync").status());
            return answers.contains(202);
        });
        assertThat(post(pods.get(2), "/api/sync").text("error"))
                .isEqualTo("sync-all already running on " + pods.get(1).owner());
    }

    @Test
    @DisplayName("the clock fires on all three, one works at a time, and a call by hand gets its name")
    void cron() {
        Map<String, String> ticking = new HashMap<>(BY_HAND);
        ticking.put("SYNC_EVERY", "PT0.5S");
        start(Databases.POSTGRESQL.fresh(directory), ticking);
        Await.until("one works", () -> pods.stream().anyMatch(it -> it.hasSaid("cron: sync-all started on")));
        JavaProcess works = pods.stream()
                .filter(it -> it.hasSaid("cron: sync-all started on"))
                .findFirst()
                .orElseThrow();
        pods.stream()
                .filter(it -> it != works)
                .forEach(it -> it.awaitLine("cron: sync-all already running on " + works.owner()));
        assertThat(pods.stream().filter(it -> it.hasSaid("sync-all started on")))
                .containsExactly(works);
        assertThat(post(pods.get(0), "/api/sync").text("error"))
                .isEqualTo("sync-all already running on " + works.owner());
    }

    @Test
    @DisplayName("what cannot be asked is 400, 404 or 405 with the reason; it runs on SQLite too")
    void badCalls() {
        start(Databases.SQLITE.fresh(directory), BY_HAND);
        assertThat(post(pods.get(0), "/api/sync/project/a//b").status()).isEqualTo(400);
        assertThat(post(pods.get(0), "/api/nothing").status()).isEqualTo(404);
        assertThat(get(pods.get(0), "/api/sync").status()).isEqualTo(405);
        assertThat(get(pods.get(0), "/api/locks/status").body()).contains("\"active\":[]");
        Answer works = only(postEverywhere("/api/sync", 2), it -> it.status() == 202);
        assertThat(get(pods.get(1), "/api/locks/status?lockName=sync-all").body())
                .contains(works.pod().owner());
    }

    private static Answer only(List<Answer> all, Predicate<Answer> wanted) {
        assertThat(all.stream().filter(wanted)).as(all.toString()).hasSize(1);
        return all.stream().filter(wanted).findFirst().orElseThrow();
    }

    private void start(Database database, Map<String, String> environment) {
        Map<String, String> full = new HashMap<>(environment);
        full.put("DATABASE_URL", database.url());
        for (int i = 0; i < PODS; i++) {
            pods.add(Pod.start(SyncService.class, "pod-" + i, full));
        }
        pods.forEach(pod -> pod.awaitLine(pod.owner() + " is up at"));
    }

    private List<Answer> postEverywhere(String path, int times) {
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            pods.forEach(pod -> calls.add(CompletableFuture.supplyAsync(() -> post(pod, path))));
        }
        return calls.stream().map(CompletableFuture::join).toList();
    }

    private Answer post(JavaProcess pod, String path) {
        return send(pod, path, HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()));
    }

    private Answer get(JavaProcess pod, String path) {
        return send(pod, path, HttpRequest.newBuilder().GET());
    }

    private Answer send(JavaProcess pod, String path, HttpRequest.Builder request) {
        String line = pod.awaitLine(" is up at ");
        URI uri = URI.create(line.substring(line.indexOf("http://")) + path);
        try {
            HttpResponse<String> response = http.send(
                    request.uri(uri).timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(pod, response.statusCode(), response.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(uri + ": " + e, e);
        }
    }
}
