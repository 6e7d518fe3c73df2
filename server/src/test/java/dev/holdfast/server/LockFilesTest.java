package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.server.state.LockFiles;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("files that show who holds a stack")
class LockFilesTest {
    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String KEY = "\"namespace\":\"deploy\",\"name\":\"stack:shop:env:prod\"";

    @TempDir
    Path directory;

    private TestServer server;

    @BeforeEach
    void start() {
        server = new Setup()
                .state(new ServerOptions.State(
                        Optional.of("file:" + directory),
                        StateConfig.DEFAULT.withVisibleLocks(true),
                        LockHabits.DEFAULT,
                        10_000))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @DisplayName("are there however the lock was taken, and gone however it ended")
    void complete() {
        StateClient stack = StateClient.of(server, "shop");
        stack.lock(A);
        assertThat(shown().orElse("none")).contains(A);
        stack.unlock(A);
        assertThat(shown()).isEmpty();

        stack.lock(A.replace('1', '2'));
        assertThat(shown()).isPresent();
        server.post("/v2/locks/force-unlock", "{" + KEY + ",\"fencing_token\":" + token() + ",\"reason\":\"test\"}");
        Await.until("the forced one is gone", () -> shown().isEmpty());

        acquire("plain-lease");
        Await.until(
                "a plain lease is shown",
                () -> shown().map(it -> it.contains("worker")).orElse(false));
        server.post("/v2/locks/release", "{\"leases\":[{" + KEY + ",\"lease_id\":\"plain-lease\"}]}");
        Await.until("it is released", () -> shown().isEmpty());
    }

    @Test
    @DisplayName("are removed though nobody tells of the end: after a lock ran out whose holder was killed")
    void ranOut() throws InterruptedException {
        Stack stack = new Stack("late", "prod");
        try (LockClient locks = LockClient.connect("memory:");
                MemoryDocuments documents = new MemoryDocuments();
                StateManager states = StateManager.on(locks, documents, StateConfig.DEFAULT.withVisibleLocks(true));
                LockFiles files = new LockFiles(states)) {
            states.claim(locks.acquire(
                    stack.lock(), o -> o.lease(Duration.ofMillis(500)).withoutRenewal()));
            assertThat(documents.look("locks/late-prod.lock")).isPresent();
            files.start(Duration.ofMillis(50));
            Await.until(
                    "the file is gone",
                    () -> documents.look("locks/late-prod.lock").isEmpty());
        }
    }

    private TestServer.Answer acquire(String lease) {
        return server.post(
                "/v2/locks/acquire",
                "{" + KEY + ",\"owner\":\"worker\",\"lease_id\":\"" + lease + "\",\"lease_ms\":60000}");
    }

    private long token() {
        return server.get("/v2/lock?namespace=deploy&name=stack:shop:env:prod")
                .json()
                .get("holders")
                .list()
                .get(0)
                .get("fencing_token")
                .number();
    }

    private Optional<String> shown() {
        try {
            Path beside = directory.resolve("stacks/shop/prod/state.json.lock");
            return Files.exists(beside) ? Optional.of(Files.readString(beside)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // removed between the two
        }
    }
}
