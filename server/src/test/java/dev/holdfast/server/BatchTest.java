package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("many operations in one request")
class BatchTest {
    private static TestServer server;
    private static int names;
    private final String name = "batch-" + names++;

    @BeforeAll
    static void start() {
        server = TestServer.onMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String batch(String... operations) {
        return "{\"operations\":[" + String.join(",", operations) + "]}";
    }

    private static Answer send(String... operations) {
        return server.post("/v2/locks/batch", batch(operations));
    }

    private static String operation(String what, String name, String leaseId, String more) {
        return "{\"operation\":\"" + what + "\",\"namespace\":\"n\",\"name\":\"" + name + "\",\"lease_id\":\"" + leaseId
                + "\"" + more + "}";
    }

    private static String acquire(String name, String leaseId) {
        return operation("acquire", name, leaseId, ",\"lease_ms\":60000,\"owner\":\"worker-7\",\"reason\":\"import\"");
    }

    private static List<String> outcomes(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get("results").list().stream()
                .map(result -> result.get("outcome").text())
                .toList();
    }

    private Json look() {
        return server.get("/v2/lock?namespace=n&name=" + name).json();
    }

    @Test
    @DisplayName("those on one lock are decided in their order, and each has an outcome of its own")
    void inOrder() {
        Answer answer = send(
                acquire(name, "lease-one"),
                acquire(name, "lease-two"),
                operation("renew", name, "lease-one", ",\"lease_ms\":90000"),
                operation("renew", name, "lease-two", ""),
                operation("release", name, "lease-one", ""),
                operation("release", name, "lease-one", ""),
                acquire(name, "lease-one"),
                acquire(name, "lease-three"));
        assertThat(outcomes(answer))
                .containsExactly("granted", "held", "renewed", "lost", "released", "not_held", "lost", "granted");
        Json results = answer.json().get("results");
        assertThat(results.get(0).get("fencing_token").number())
                .isLessThan(results.get(7).get("fencing_token").number());
        assertThat(results.get(1).get("holders").get(0).get("owner").text()).isEqualTo("worker-7");
        assertThat(results.get(1).get("retry_after_ms").number()).isPositive();
        assertThat(results.get(1).fields()).doesNotContain("fencing_token");
        assertThat(results.get(6).get("reason").text()).isEqualTo("released");
        assertThat(look().get("holders").get(0).get("reason").text()).isEqualTo("import");
    }

    @Test
    @DisplayName("the same batch again is answered with the same leases")
    void again() {
        Answer first = send(acquire(name, "lease-one"));
        Answer second = send(acquire(name, "lease-one"));
        assertThat(outcomes(second)).containsExactly("granted");
        assertThat(second.json().get("results").get(0).get("fencing_token").number())
                .isEqualTo(
                        first.json().get("results").get(0).get("fencing_token").number());
    }

    @Test
    @DisplayName("thousands of different locks are taken and given back")
    void many() {
        String[] taken = IntStream.range(0, 5_000)
                .mapToObj(i -> acquire(name + "-" + i, "lease-many-" + i))
                .toArray(String[]::new);
        assertThat(outcomes(send(taken))).hasSize(5_000).containsOnly("granted");
        String[] ended = IntStream.range(0, 5_000)
                .mapToObj(i -> operation("release", name + "-" + i, "lease-many-" + i, ""))
                .toArray(String[]::new);
        assertThat(outcomes(send(ended))).hasSize(5_000).containsOnly("released");
    }

    @Test
    @DisplayName("if one of them cannot be read, nothing is done, and all that is wrong is named")
    void allOrNothing() {
        Answer refused = send(
                acquire(name, "lease-one"),
                operation("borrow", name, "lease-two", ""),
                operation("acquire", name, "lease-three", ",\"lease_ms\":60000,\"wait_ms\":1000"),
                operation("release", name, "short", ""));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .contains(
                        "operations[1].operation is not allowed: must be acquire, renew or release",
                        "operations[2].wait_ms is unknown",
                        "operations[3].lease_id");
        assertThat(look().get("holders").list()).isEmpty();
        assertThat(server.post("/v2/locks/batch", batch()).status()).isEqualTo(400);
    }

    @Test
    @DisplayName("what was granted to somebody who has gone is given back")
    void gone() throws IOException {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (TestServer behind = TestServer.start(TestServer.OPEN, store)) {
            for (int i = 0; i < 20; i++) { // noticed before the answer, or by it
                String lock = "gone-" + i + "-";
                store.next(FaultyStore.Call.WRITE, 1_000, FaultyStore.Fault.HANG);
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), behind.server.port())) {
                    client.getOutputStream().write(request(lock));
                    Await.until("it is being decided", () -> store.hanging() > 0);
                    client.setSoLinger(true, 0); // closed with a reset: the answer has nowhere to go
                }
                store.heal();
                store.letGo();
                Await.until(
                        "all of it was granted, and nothing is held",
                        () -> IntStream.of(0, 250, 499)
                                .mapToObj(n -> behind.get("/v2/lock?namespace=n&name=" + lock + n)
                                        .json())
                                .allMatch(it -> it.get("latest_token").number() > 0
                                        && it.get("holders").list().isEmpty()));
            }
        }
    }

    private static byte[] request(String lock) {
        String body = batch(IntStream.range(0, 500)
                .mapToObj(n -> acquire(lock + n, "lease-" + lock + n))
                .toArray(String[]::new));
        return ("POST /v2/locks/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
