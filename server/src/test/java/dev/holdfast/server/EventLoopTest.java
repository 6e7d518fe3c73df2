package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.http.Route;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An event loop that waits for a store keeps hundreds of other clients waiting, so none ever may. */
@DisplayName("a server on a store that blocks")
class EventLoopTest {
    @ParameterizedTest(name = "only this server writes to it: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("never calls it on an event loop, whatever is asked")
    void never(boolean exclusive) {
        WatchedStore store =
                new WatchedStore(exclusive ? MemoryStore.exclusive() : MemoryStore.shared(LocalTime.SYSTEM));
        try (TestServer server = TestServer.start(new Setup().privateMetrics().config(), store)) {
            Client client = Client.of(server);
            everyRoute(server, client);
            waiting(client);
            goneWhileWaiting(client);
            try (Listening fromTheStart = new Listening(client, "?since=0")) {
                assertThat(fromTheStart.next().get("event").text()).startsWith("lock.");
                everyRoute(server, client);
            }
        }
        assertThat(store.called()).contains("read", "write", "scan", "events", "watch", "close");
        assertThat(store.calledOnEventLoop()).isEmpty();
    }

    private static void everyRoute(TestServer server, Client client) {
        for (String name : List.of("lock-one", "lock-two")) {
            for (Route route : server.server.routes()) {
                if (!route.path().equals(SampleCalls.EVENTS)) {
                    Answer answer = client.send(SampleCalls.of(client, route, "space", name));
                    assertThat(answer.status()).as(route.path() + answer.body()).isIn(200, 202, 404, 409, 423);
                }
            }
        }
    }

    private static void waiting(Client client) {
        client.acquire("lock-waited", "lease-of-holder", "");
        List<CompletableFuture<Answer>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(client.acquireLater("lock-waited", "lease-waiting-" + i, "\"wait_ms\":30000"));
            int length = i + 1;
            Await.until(
                    length + " wait",
                    () -> client.look("lock-waited").get("waiters").list().size() == length);
        }
        assertThat(client.acquire("lock-waited", "lease-impatient", "\"wait_ms\":50")
                        .status())
                .isEqualTo(202);
        String holder = "lease-of-holder";
        for (int i = 0; i < 5; i++) {
            client.release("lock-waited", holder);
            assertThat(Await.get(waiters.get(i)).status()).isEqualTo(200);
            holder = "lease-waiting-" + i;
        }
    }

    private static void goneWhileWaiting(Client client) {
        client.acquire("lock-left", "lease-of-holder", "");
        CompletableFuture<Answer> impatient = client.acquireLater("lock-left", "lease-of-leaver", "\"wait_ms\":30000");
        Await.until(
                "it waits",
                () -> !client.look("lock-left").get("waiters").list().isEmpty());
        impatient.cancel(true);
        client.release("lock-left", "lease-of-holder");
        client.release("lock-left", "lease-of-leaver");
    }
}
