package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("what operators do")
class OperatorsTest {
    @TempDir
    Path directory;

    private static List<Json> done(Path audit) {
        try {
            return Files.readAllLines(audit).stream()
                    .map(Json::of)
                    .filter(line -> line.get("event").text().equals("cleanup.done"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long expired(Client client) {
        return client.get("/v2/history?event=lock.expired")
                .json()
                .get("items")
                .list()
                .size();
    }

    @Test
    @DisplayName(
            "a clean-up ends holds that have expired, tells which, and is in the audit; a dry run only tells (002.4)")
    void cleanUp() {
        Path audit = directory.resolve("audit.log");
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        ServerOptions audited = TestServer.auditedBy(AuditConfig.of(Optional.of(audit), false, false), store);
        // Else what is swept after the start, at a random moment, is not there any more.
        EngineConfig rarelySwept = audited.engine().withSweepEvery(Duration.ofDays(1));
        try (TestServer server =
                TestServer.start(new Setup(audited).engine(rarelySwept).config())) {
            Client client = Client.of(server);
            client.acquire("dead", "lease-of-dead", "\"lease_ms\":100");
            client.acquire("alive", "lease-of-alive", "");
            Await.until("it expires", () -> !client.look("dead").get("held").truth());

            for (int i = 0; i < 2; i++) {
                Json would = client.post("/api/locks/cleanup?dry_run=true", "").json();
                assertThat(would.get("dry_run").truth()).isTrue();
                assertThat(would.get("removed").number()).isEqualTo(1);
                assertThat(would.get("locks").list()).extracting(Json::text).containsExactly("n:dead");
            }
            assertThat(expired(client)).as("nothing was done").isZero();

            Answer cleaned =
                    client.send(client.posting("/api/locks/cleanup", "").header("X-Request-Id", "clean-1"));
            assertThat(cleaned.json().get("dry_run").truth()).isFalse();
            assertThat(cleaned.json().get("removed").number()).isEqualTo(1);
            assertThat(cleaned.json().get("locks").list())
                    .extracting(Json::text)
                    .containsExactly("n:dead");
            assertThat(expired(client)).isEqualTo(1);
            assertThat(client.look("alive").get("held").truth()).isTrue();
            assertThat(client.post("/api/locks/cleanup", "")
                            .json()
                            .get("removed")
                            .number())
                    .as("nothing is left")
                    .isZero();

            Await.until("both are written", () -> done(audit).size() == 2);
            Json first = done(audit).get(0);
            assertThat(first.get("metadata").get("ended").text()).isEqualTo("1");
            assertThat(first.get("metadata").get("locks").text()).isEqualTo("n:dead");
            assertThat(first.get("request_id").text()).isEqualTo("clean-1");
            assertThat(client.get("/v2/history?event=cleanup.done")
                            .json()
                            .get("items")
                            .list())
                    .as("in the history too")
                    .hasSize(2);
        }
    }
}
