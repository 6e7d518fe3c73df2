package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store that answers reads and accepts no writes: a full disk, a throttled table, a server that went read-only. */
@DisplayName("a server whose store accepts no writes")
class FailingWritesTest {
    private FaultyStore store;
    private TestServer server;

    @BeforeEach
    void start() {
        store = FaultyStore.of(MemoryStore.exclusive());
        server = new Setup().operationTimeout(Duration.ofMillis(500)).start(store);
        assertThat(acquire("held", 0).status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private TestServer.Answer acquire(String name, long wait) {
        return server.post(
                "/v2/locks/acquire",
                "{\"namespace\":\"n\",\"name\":\"" + name + "\",\"lease_ms\":60000,\"wait_ms\":" + wait + "}");
    }

    @Test
    @DisplayName("says 503 to who asks for a free lock, never 423 and never 202, however long it would wait")
    void neverBusy() {
        store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.UNAVAILABLE);
        for (long wait : new long[] {0, 1, 100, 300, 2_000}) {
            TestServer.Answer answer = acquire("free", wait);
            assertThat(answer.status())
                    .as("wait_ms %s: %s", wait, answer.body())
                    .isEqualTo(503);
        }
    }

    @Test
    @DisplayName("is not ready from the first write that failed, says why, and is ready again when one was made")
    void notReady() {
        assertThat(server.get("/health/ready").status()).isEqualTo(200);
        store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.UNAVAILABLE);
        acquire("free", 0);
        Await.until("it notices", () -> server.get("/health/ready").status() == 503);
        assertThat(server.get("/health/ready").json().get("reason").text())
                .contains("accepts no writes", "The line is cut");
        store.heal();
        Await.until(
                "it tries again by itself", () -> server.get("/health/ready").status() == 200);
        assertThat(acquire("free", 0).status()).isEqualTo(200);
    }

    @Test
    @DisplayName(
            "says in its log once that events cannot be read, however long that lasts, and once that they can be again")
    void toldOnce() {
        try (LoggedLines log = LoggedLines.of("dev.holdfast.internal.engine.EventFeed")) {
            store.next(FaultyStore.Call.EVENTS, 4, FaultyStore.Fault.UNAVAILABLE);
            Await.until(
                    "it works again", () -> log.lines().stream().anyMatch(line -> line.contains("can be read again")));
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(0)).contains("cannot be read, trying again");
        }
    }
}
