package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting over HTTP: who goes away, who comes back, who cannot be told. */
@DisplayName("waiting over HTTP")
class WaitingTest {
    private static final Duration KEEP = Duration.ofMillis(1_200);
    private TestServer server = TestServer.onMemory();

    @BeforeEach
    void start() {
        startKeeping(KEEP);
    }

    private void startKeeping(Duration place) {
        server.close();
        server = new Setup().keepPlace(place).start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String ask(String leaseId, long wait) {
        return "{\"namespace\":\"n\",\"name\":\"l\",\"lease_id\":\"lease-of-" + leaseId
                + "\",\"lease_ms\":60000,\"wait_ms\":" + wait + "}";
    }

    private Answer acquire(String leaseId, long wait) {
        return server.post("/v2/locks/acquire", ask(leaseId, wait));
    }

    private String release(String leaseId) {
        return server.post(
                        "/v2/locks/release",
                        "{\"leases\":[{\"namespace\":\"n\",\"name\":\"l\",\"lease_id\":\"lease-of-" + leaseId + "\"}]}")
                .json()
                .get("results")
                .get(0)
                .get("outcome")
                .text();
    }

    private int waiters() {
        return look().get("waiters").list().size();
    }

    private Json look() {
        return server.get("/v2/lock?namespace=n&name=l").json();
    }

    /** A client that waits, and can be cut off. */
    private Socket wait(String leaseId) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
        String body = ask(leaseId, 30_000);
        socket.getOutputStream()
                .write(("POST /v2/locks/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    @DisplayName("a client that disconnects keeps its place for a while, and is then taken out")
    void disconnected() throws IOException {
        acquire("a", 0);
        Socket gone = wait("b");
        Await.until("it waits", () -> waiters() == 1);
        gone.close();
        Await.until("its request is over", () -> server.server.waitingRequests() == 0);
        assertThat(waiters()).as("the place is kept").isEqualTo(1);
        Await.until("it is taken out", () -> waiters() == 0);
        assertThat(acquire("b", 10).status()).as("that acquisition is over").isEqualTo(409);
    }

    @Test
    @DisplayName(
            "who is handed the lock between two requests has exactly the lease it asked for, and the next one its turn after it")
    void handedOverForItsLease() {
        acquire("a", 0);
        String brief = ask("b", 1).replace("60000", "1000");
        assertThat(server.post("/v2/locks/acquire", brief).status()).isEqualTo(202);
        release("a");
        Answer got = server.post("/v2/locks/acquire", brief);
        assertThat(got.status()).as(got.body()).isEqualTo(200);
        assertThat(got.json().get("lease_ms").number()).isEqualTo(1_000);
        Instant granted =
                Instant.parse(look().get("holders").get(0).get("renewed_at").text());
        assertThat(Instant.parse(got.json().get("expires_at").text())).isBeforeOrEqualTo(granted.plusMillis(1_001));
    }

    @Test
    @DisplayName("a renewal tells the lease that counts, which is never less than what the holder has")
    void renewalTellsTheLease() {
        acquire("a", 0);
        String body =
                "{\"leases\":[{\"namespace\":\"n\",\"name\":\"l\",\"lease_id\":\"lease-of-a\",\"lease_ms\":100}]}";
        Json result = server.post("/v2/locks/renew", body).json().get("results").get(0);
        assertThat(result.get("outcome").text()).isEqualTo("renewed");
        assertThat(result.get("lease_ms").number()).isBetween(50_000L, 60_000L);
    }

    @Test
    @DisplayName("one that comes back in time finds its place")
    void comesBack() throws IOException {
        acquire("a", 0);
        Socket gone = wait("b");
        Await.until("it waits", () -> waiters() == 1);
        CompletableFuture<Answer> behind = server.postLater("/v2/locks/acquire", ask("c", 20_000));
        Await.until("another waits behind", () -> waiters() == 2);
        gone.close();
        Await.until("its request is over", () -> server.server.waitingRequests() == 1);
        CompletableFuture<Answer> back = server.postLater("/v2/locks/acquire", ask("b", 20_000));
        Await.until("it is back", () -> server.server.engine().waitingCallers() == 2);
        release("a");
        assertThat(Await.get(back).status()).isEqualTo(200);
        assertThat(behind).isNotDone();
        release("b");
        assertThat(Await.get(behind).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("a lock handed to a client that has gone goes on to the next")
    void handedToNobody() throws IOException {
        acquire("a", 0);
        Socket gone = wait("b");
        Await.until("it waits", () -> waiters() == 1);
        CompletableFuture<Answer> behind = server.postLater("/v2/locks/acquire", ask("c", 20_000));
        Await.until("another waits behind", () -> waiters() == 2);
        gone.close();
        release("a");
        assertThat(Await.get(behind).status())
                .as("after the place was kept in vain")
                .isEqualTo(200);
    }

    @Test
    @DisplayName("a grant whose answer cannot be delivered is given back")
    void undelivered() throws IOException {
        startKeeping(Duration.ofMillis(100)); // where it is noticed before that it is gone, its place is waited for
        for (int i = 0; i < 20; i++) {
            Answer held = acquire("holder-" + i, 20_000); // what was offered to the one before may be offered once more
            assertThat(held.status()).as(held.body()).isEqualTo(200);
            Socket gone = wait("gone-" + i);
            Await.until("it waits", () -> waiters() == 1);
            gone.setSoLinger(true, 0); // a reset: the answer has nowhere to go
            gone.close();
            release("holder-" + i);
            Await.until("it is free", () -> !look().get("held").truth() && waiters() == 0);
        }
    }

    @Test
    @DisplayName("a client that repeats its request after it lost the connection keeps what it was told")
    void repeated() throws IOException {
        for (int i = 0; i < 50; i++) {
            String name = "repeat-" + i;
            Socket gone = wait(name);
            gone.setSoLinger(true, 0);
            gone.close();
            Answer told = acquire(name, 5_000);
            while (told.status() == 202) { // the first request was looked at last, and sent this one away
                told = acquire(name, 5_000);
            }
            if (told.status() == 200) {
                long token = told.json().get("fencing_token").number();
                server.get("/v2/lock?namespace=n&name=l"); // what was under way has arrived
                assertThat(look().get("holders").list())
                        .as("told to hold it, the %d-th time", i)
                        .anySatisfy(holder ->
                                assertThat(holder.get("fencing_token").number()).isEqualTo(token));
                release(name);
            } else {
                assertThat(told.status()).as("given back before it came again").isEqualTo(409);
            }
        }
    }

    @Test
    @DisplayName("the queue is first come, first served")
    void inOrder() {
        acquire("first", 0);
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int place = i + 1;
            waiting.add(server.postLater("/v2/locks/acquire", ask("w" + i, 30_000)));
            Await.until("it waits", () -> waiters() == place);
        }
        String holder = "first";
        long token = 0;
        for (int i = 0; i < 20; i++) {
            release(holder);
            Answer next = Await.get(waiting.get(i));
            assertThat(next.status()).isEqualTo(200);
            assertThat(next.json().get("fencing_token").number()).isGreaterThan(token);
            token = next.json().get("fencing_token").number();
            holder = "w" + i;
        }
    }

    @Test
    @DisplayName("many wait without a thread each")
    void manyWaiters() {
        int many = 1_000;
        int before = Thread.activeCount();
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < many / 10; i++) {
            String lock = "{\"namespace\":\"n\",\"name\":\"many-" + i + "\",\"lease_ms\":60000,\"lease_id\":\"lease-";
            server.post("/v2/locks/acquire", lock + i + "-h\"}");
            for (int j = 0; j < 10; j++) {
                waiting.add(server.postLater("/v2/locks/acquire", lock + i + "-" + j + "\",\"wait_ms\":60000}"));
            }
        }
        Await.until("all wait", () -> server.server.engine().waitingCallers() == many);
        assertThat(Thread.activeCount() - before)
                .as("threads for %d who wait", many)
                .isLessThan(100);
        server.close();
        assertThat(waiting)
                .allSatisfy(waiter -> assertThat(Await.get(waiter).status())
                        .as("told to come back")
                        .isEqualTo(202));
    }

    @Test
    @DisplayName("a server that stops tells who waits to come back, and refuses new requests")
    void stops() {
        acquire("a", 0);
        CompletableFuture<Answer> waiting = server.postLater("/v2/locks/acquire", ask("b", 30_000));
        Await.until("it waits", () -> waiters() == 1);
        server.close();
        assertThat(Await.get(waiting).status()).isEqualTo(202);
        assertThat(Await.get(waiting).json().get("position").number()).isEqualTo(1);
    }

    @Test
    @DisplayName("whose body arrives only after the stop began is told to come back just as soon")
    void bodyAfterStop() throws Exception {
        acquire("a", 0);
        String body = ask("b", 30_000);
        try (RawClient late = new RawClient(server.server.port())) {
            late.write(("POST /v2/locks/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Expect: 100-continue\r\nContent-Length: " + body.length() + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            late.awaitContinue(); // its head was read
            assertThat(waiters()).isZero();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
            Await.until("it stops", () -> server.get("/v2/locks").status() == 503);
            late.write(body.getBytes(StandardCharsets.US_ASCII));
            long start = System.nanoTime();
            assertThat(late.read(false).status()).isEqualTo(202);
            Await.get(stopped);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("the grace was not needed")
                    .isLessThan(TestServer.OPEN.grace());
        }
    }

    @Test
    @DisplayName("asking again with the same lease id while the first request waits sends the first away, not the lock")
    void askedTwice() {
        acquire("a", 0);
        CompletableFuture<Answer> first = server.postLater("/v2/locks/acquire", ask("b", 30_000));
        Await.until("it waits", () -> waiters() == 1);
        CompletableFuture<Answer> second = server.postLater("/v2/locks/acquire", ask("b", 30_000));
        assertThat(Await.get(first).status())
                .as("come back, if you are still there")
                .isEqualTo(202);
        release("a");
        assertThat(Await.get(second).status()).isEqualTo(200);
    }
}
