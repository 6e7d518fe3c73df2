package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("leaders in processes of their own")
class LeaderProcessesTest {
    /** Short enough to be waited for, long enough for a process on a crowded machine to renew. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static long token(String elected) {
        return Long.parseLong(elected.substring("elected ".length()));
    }

    @Test
    @DisplayName("one that stood still is followed, hears of it when it goes on, and follows when the next is killed")
    void stoppedAndKilled() {
        HoldfastServer server = LocalServer.inMemory();
        String url = LocalServer.url(server);
        try (server;
                LockClient locks = LockClient.connect(url);
                JavaProcess one = LeaderProcess.start(url, "one", LEASE)) {
            long first = token(one.awaitLine("elected"));
            try (JavaProcess two = LeaderProcess.start(url, "two", LEASE)) {
                two.awaitLine("stands");
                Await.until("the second waits", () -> view(locks).waiters().size() == 1);

                one.signal("STOP");
                long second = token(two.awaitLine("elected"));
                assertThat(second).isGreaterThan(first);
                one.signal("CONT");
                assertThat(one.awaitLine("ended")).startsWith("ended LOST").endsWith("valid false");
                Await.until("the first waits", () -> view(locks).waiters().size() == 1);

                two.kill();
            }
            one.until(
                    "it leads again",
                    () -> one.said().stream()
                                    .filter(line -> line.startsWith("elected"))
                                    .count()
                            == 2);
            one.type("").exit();
            assertThat(one.said()).contains("ended CLOSED - valid false").last().isEqualTo("closed");
            assertThat(view(locks).isFree()).isTrue();
        }
    }

    private static LockView view(LockClient locks) {
        return locks.inspect().get(locks.key(LeaderProcess.NAME));
    }
}
