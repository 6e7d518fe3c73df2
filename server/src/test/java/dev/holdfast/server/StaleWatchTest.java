package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.state.terraform.ForcePolicy;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** The sweep comes every ten minutes; nothing here waits for it. */
@DisplayName("a deployment lock that turns stale")
class StaleWatchTest {
    private static final Duration STALE = Duration.ofSeconds(2);
    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";

    private static Setup setup() {
        return new Setup()
                .staleAfter(STALE)
                .state(new ServerOptions.State(
                        Optional.empty(),
                        StateConfig.DEFAULT,
                        new LockHabits(STALE, Duration.ofMillis(50), ForcePolicy.ANY),
                        10_000));
    }

    @SideBySide
    @DisplayName("is told and counted once within seconds, and again when it was renewed and turned stale anew")
    void counted() {
        try (TestServer server = setup().start()) {
            StateClient stack = StateClient.of(server, "late");
            stack.lock(A);
            long locked = System.nanoTime();
            Await.until("it is counted", () -> stale(server) == 1);
            assertThat(Duration.ofNanos(System.nanoTime() - locked)).isLessThan(STALE.plusSeconds(15));
            assertThat(events(server)).isEqualTo(1);
            stack.save(A, StateClient.state(1)); // a sign of life
            Await.until("it is counted again", () -> stale(server) == 2);
            stack.unlock(A);
        }
    }

    @SideBySide
    @DisplayName("is noticed also if the server that granted it is gone")
    void granterGone(@TempDir Path directory) {
        String store = "sqlite:" + directory.resolve("locks.db");
        try (TestServer dying = TestServer.start(setup().config().on(0, store))) {
            StateClient.of(dying, "left").lock(A);
        }
        try (TestServer next = TestServer.start(setup().config().on(0, store))) {
            Await.until("the next one finds it", () -> stale(next) == 1);
        }
    }

    private static long stale(TestServer server) {
        return (long) server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_deployer_lock_stale_detected_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static int events(TestServer server) {
        return server.get("/v2/history?namespace=deploy&event=lock.stale")
                .json()
                .get("items")
                .list()
                .size();
    }
}
