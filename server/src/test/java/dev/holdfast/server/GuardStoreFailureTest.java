package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.probe.AddressPolicy;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.testkit.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The guard over HTTP, while a store does not take writes")
class GuardStoreFailureTest {
    private static final String SHOP =
            "{\"url\":\"http://127.0.0.1:9/\",\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\"}]}";

    @TempDir
    private Path directory;

    private static TestServer server(String locks, String documents, Duration answerWithin) {
        GuardOptions options = new GuardOptions(
                true,
                Optional.of(documents),
                GuardConfig.DEFAULT.withConfirmationPause(Duration.ofMillis(10)).withInterval(Duration.ofMillis(200)),
                new GuardOptions.Probes(AddressPolicy.standard(), Optional.empty(), Optional.empty()),
                Map.of(),
                "log",
                answerWithin);
        TestServer server = new Setup()
                .store(locks)
                .guard(options)
                .operationTimeout(Duration.ofSeconds(1))
                .start();
        Answer put = server.send(server.request("/api/guard/apps/shop")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(SHOP)));
        assertThat(put.status()).as(put.body()).isEqualTo(200);
        return server;
    }

    private static String desired(TestServer server) {
        return server.get("/api/guard/apps/shop").json().get("desired").text();
    }

    /** Keeps everybody else from writing. */
    private static Connection writing(Path file) throws Exception {
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        other.createStatement().execute("begin immediate");
        return other;
    }

    @Test
    @DisplayName("a stop that is stored is answered pending, with what failed, and is done when the locks are back")
    void locksAway() throws Exception {
        Path locks = directory.resolve("locks.db");
        try (TestServer server =
                server("sqlite:" + locks, "file:" + directory.resolve("documents"), Duration.ofSeconds(30))) {
            Answer stop;
            try (Connection other = writing(locks)) {
                stop = server.post("/api/guard/apps/shop/stop", "{}");
                other.createStatement().execute("rollback");
            }
            assertThat(stop.status()).as(stop.body()).isEqualTo(200);
            Json decision = stop.json().get("decisions").list().get(0);
            assertThat(decision.get("decision").text()).isEqualTo("pending");
            assertThat(decision.get("reason").text())
                    .contains("the stop is stored and continues by itself", "could not be finished now")
                    .doesNotContain("othing was changed");
            assertThat(desired(server)).isEqualTo("stopped");
            Await.until(
                    "it is stopped",
                    () -> server.get("/api/guard/resources")
                            .json()
                            .get("items")
                            .list()
                            .get(0)
                            .get("state")
                            .text()
                            .equals("stopped"));
        }
    }

    @Test
    @DisplayName("a stop that is not stored in time is not answered as if it were")
    void documentsAway() throws Exception {
        Path documents = directory.resolve("documents.db");
        try (TestServer server = server("memory:", "sqlite:" + documents, Duration.ofMillis(300))) {
            for (String what : new String[] {"stop", "start"}) {
                Answer answer;
                try (Connection other = writing(directory.resolve("documents-documents.db"))) {
                    answer = server.post("/api/guard/apps/shop/" + what, "{}");
                    other.createStatement().execute("rollback");
                }
                assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                assertThat(answer.json().get("code").text()).isEqualTo("outcome-unknown");
                assertThat(answer.json().get("detail").text()).contains("The " + what + " of app 'shop'", "not known");
                assertThat(answer.header("Retry-After")).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("a stop is not told as undone because nobody has time to look how far it came")
    void nobodyLooks() throws Exception {
        GuardOptions options = new GuardOptions(
                true,
                Optional.of("postgresql://127.0.0.1:9/nowhere"),
                GuardConfig.DEFAULT,
                new GuardOptions.Probes(AddressPolicy.standard(), Optional.empty(), Optional.empty()),
                Map.of(),
                "log",
                Duration.ofSeconds(1));
        try (TestServer server = new Setup().guard(options).grace(Duration.ZERO).start()) {
            CompletableFuture<Answer> stop = server.postLater("/api/guard/apps/shop/stop", "{}");
            HttpClient others = HttpClient.newHttpClient();
            for (int i = 0; i < 300; i++) { // each waits for the documents, which do not come
                var unused = others.sendAsync(server.request("/api/guard/apps").build(), BodyHandlers.discarding());
            }
            assertThat(stop.get(20, TimeUnit.SECONDS).body())
                    .contains("outcome-unknown", "not known whether it is stored")
                    .doesNotContain("othing was changed");
        }
    }
}
