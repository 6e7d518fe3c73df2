package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what one caller takes from the others")
class FairSharesTest {
    private static final String GOOD = "token-of-good";
    private static final String HOSTILE = "token-of-hostile";
    private static final String BILLING = "token-of-billing";
    private static final Limits LIMITS = new Limits(
            16 << 10,
            4 << 20,
            64 << 20,
            8 << 10,
            16 << 10,
            16,
            20_000,
            10_000,
            20,
            30,
            Duration.ofSeconds(75),
            Duration.ofSeconds(10));

    private final List<RawClient> open = Collections.synchronizedList(new ArrayList<>());
    private TestServer server;
    private Client good;
    private Client hostile;

    @BeforeEach
    void start() {
        server = new Setup()
                .limits(LIMITS)
                .eventsPerPrincipal(5)
                .rate(new RateLimit.Config(2_000, 4_000, 1_000))
                .auth(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(
                                TokenEntry.of("good", GOOD, Grants.everywhere(Role.ADMIN)),
                                TokenEntry.of(
                                        "hostile",
                                        HOSTILE,
                                        new Grants(Map.of(
                                                "deploy", Set.of(Role.STATE), Client.NAMESPACE, Set.of(Role.LOCK)))),
                                TokenEntry.of("billing", BILLING, Grants.in("billing", Role.READ)))))
                .start();
        good = Client.of(server).as(GOOD);
        hostile = Client.of(server).as(HOSTILE);
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : open) {
            client.close();
        }
        server.close();
    }

    private RawClient sending(String token, String head) {
        try {
            RawClient client = new RawClient(server.server.port());
            open.add(client);
            client.write((head + "\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(RawClient client, String text) {
        client.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    // ---- documents

    @Test
    @DisplayName("who may not save is refused before any of its document is read")
    void roleBeforeBody() throws IOException {
        for (String method : List.of("PUT", "POST", "LOCK", "UNLOCK")) {
            RawClient idle = sending(BILLING, method + " /state/shop/prod HTTP/1.1");
            send(idle, "Transfer-Encoding: chunked\r\n\r\n");
            assertThat(idle.read(false).status()).as(method).isEqualTo(403);
        }
        for (String many : List.of("POST /v2/locks/renew", "POST /v2/locks/release", "PUT /api/guard/apps")) {
            RawClient idle = sending(BILLING, many + " HTTP/1.1");
            send(idle, "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(idle.read(false).status()).as(many).isEqualTo(403);
        }
    }

    @Test
    @DisplayName("who announces documents and sends nothing takes no room from others, and LOCK needs none")
    void idleDocuments() {
        for (int i = 0; i < 20; i++) {
            send(
                    sending(HOSTILE, "PUT /state/big/prod HTTP/1.1"),
                    "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n");
            send(sending(HOSTILE, "PUT /state/big/prod HTTP/1.1"), "Content-Length: 60000000\r\n\r\n{\"a\":");
        }
        StateClient stack = new StateClient(good, "/state/shop/prod");
        assertThat(stack.lock(id(1)).status()).isEqualTo(200);
        assertThat(stack.save(id(1), state(1)).status()).isEqualTo(200);
        assertThat(stack.unlock(id(1)).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("a LockInfo has 64 KB at most")
    void smallBodies() {
        StateClient stack = new StateClient(good, "/state/shop/prod");
        assertThat(stack.send("LOCK", "", " ".repeat(64 << 10) + "{}").status()).isEqualTo(413);
        assertThat(stack.send("UNLOCK", "", " ".repeat(64 << 10) + "{}").status())
                .isEqualTo(413);
    }

    @Test
    @DisplayName(
            "there are so many stacks and no more; those that are there are saved on, and a deleted one makes room")
    void stacks() {
        try (TestServer small = new Setup()
                .state(new ServerOptions.State(Optional.empty(), StateConfig.DEFAULT, LockHabits.DEFAULT, 3))
                .start()) {
            for (int i = 1; i <= 3; i++) {
                assertThat(StateClient.of(small, "s" + i)
                                .send("POST", "", state(1))
                                .status())
                        .isEqualTo(200);
            }
            Answer refused = StateClient.of(small, "s4").send("POST", "", state(1));
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.json().get("code").text()).isEqualTo("too-many-stacks");
            assertThat(StateClient.of(small, "s4").load().status()).isEqualTo(404);
            assertThat(StateClient.of(small, "s3").send("POST", "", state(2)).status())
                    .isEqualTo(200);
            assertThat(StateClient.of(small, "s2").send("DELETE", "", "").status())
                    .isEqualTo(200);
            assertThat(StateClient.of(small, "s4").send("POST", "", state(1)).status())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("what takes too long, or nobody waits for any more, is given up, and its thread is free for the next")
    void givenUp() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        try (Blocking one = new Blocking("test", 1, 10);
                TestServer slow = TestServer.with(List.of(
                        endless("/too-long", one, Duration.ofMillis(300), begun, interrupted),
                        endless("/left", one, Duration.ofMinutes(1), begun, interrupted)))) {
            Answer tooLong = Client.of(slow).get("/too-long");
            assertThat(tooLong.status()).isEqualTo(503);
            assertThat(tooLong.json().get("code").text()).isEqualTo("too-slow");
            Await.until("it was interrupted", () -> interrupted.get() == 1);
            try (RawClient leaving = new RawClient(slow.server.port())) {
                send(leaving, "GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n");
                Await.until("it has the thread", () -> begun.get() == 2);
                CompletableFuture<Answer> behind = Client.of(slow)
                        .sendLater(Client.of(slow).request("/too-long").GET());
                assertThat(Await.get(behind).status())
                        .as("in the queue behind it")
                        .isEqualTo(503);
            }
            Await.until("the client's leaving was noticed", () -> interrupted.get() == 2);
            assertThat(one.run(() -> "free").get(20, TimeUnit.SECONDS)).isEqualTo("free");
        }
    }

    private static Route endless(
            String path, Blocking threads, Duration limit, AtomicInteger begun, AtomicInteger interrupted) {
        return Route.get(
                        path,
                        call -> threads.run(
                                call,
                                limit,
                                patience -> patience.computing(() -> {
                                    begun.incrementAndGet();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.incrementAndGet();
                                        throw e;
                                    }
                                    return Reply.bytes(200, "", Buffer.buffer());
                                })))
                .open();
    }

    // ---- locks, waiters, streams, strangers

    @Test
    @DisplayName(
            "new locks of one principal beyond its share are 429 on every interface; those it uses, and another's, are not")
    void locks() {
        for (int i = 1; i <= 30; i++) {
            assertThat(hostile.acquire("job-" + i, "lease-of-job-" + i, "").status())
                    .isEqualTo(200);
        }
        Answer refused = hostile.acquire("job-31", "lease-of-job-31", "");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().get("code").text()).isEqualTo("too-many-locks");
        assertThat(new StateClient(hostile, "/state/new/prod").lock(id(1)).status())
                .isEqualTo(429);
        assertThat(hostile.acquire("job-30", "lease-of-job-30", "").status()).isEqualTo(200);
        assertThat(good.acquire("job-31", "lease-of-good", "").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("waiters of one principal beyond its share are 429; another waits on")
    void waiters() {
        assertThat(good.acquire("job", "holder-0001", "").status()).isEqualTo(200);
        List<CompletableFuture<Answer>> waiting = IntStream.range(0, 20)
                .mapToObj(i -> hostile.acquireLater("job", "waiter-00" + i, "\"wait_ms\":30000"))
                .collect(Collectors.toList());
        Await.until("all wait", () -> good.look("job").get("waiters").list().size() == 20);
        Answer refused = hostile.acquire("job", "waiter-0099", "\"wait_ms\":30000");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().get("code").text()).isEqualTo("too-many-waiters");
        CompletableFuture<Answer> mine = good.acquireLater("job", "waiter-good", "\"wait_ms\":30000");
        Await.until(
                "the other waits", () -> good.look("job").get("waiters").list().size() == 21);
        assertThat(mine).isNotDone();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    @DisplayName("streams of one principal beyond its share are 429; another listens, and one that ends makes room")
    void streams() throws IOException {
        List<RawClient> streams = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RawClient stream = sending(HOSTILE, "GET /v2/events HTTP/1.1");
            send(stream, "\r\n");
            assertThat(stream.read(false).status()).isEqualTo(200);
            streams.add(stream);
        }
        RawClient sixth = sending(HOSTILE, "GET /v2/events HTTP/1.1");
        send(sixth, "\r\n");
        assertThat(sixth.read(false).status()).isEqualTo(429);
        RawClient other = sending(GOOD, "GET /v2/events HTTP/1.1");
        send(other, "\r\n");
        assertThat(other.read(false).status()).isEqualTo(200);
        streams.get(0).close();
        Await.until("there is room again", () -> {
            try (RawClient next = new RawClient(server.server.port())) {
                send(
                        next,
                        "GET /v2/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + HOSTILE + "\r\n\r\n");
                return next.read(false).status() == 200;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    @DisplayName("strangers and open pages are limited by address, known callers and health are not")
    void strangers() {
        try (TestServer limited = new Setup()
                .trustedProxies("127.0.0.1")
                .rate(new RateLimit.Config(5, 20, 1_000))
                .auth(new AuthConfig(
                        false, Optional.empty(), List.of(TokenEntry.of("good", GOOD, Grants.everywhere(Role.READ)))))
                .start()) {
            Client anyone = Client.of(limited);
            assertThat(statuses(anyone.as("wrong"), "/v2/locks", "192.0.2.1", 10))
                    .contains(401, 429);
            assertThat(statuses(anyone, "/openapi.json", "192.0.2.1", 60)).contains(200, 429);
            assertThat(statuses(anyone, "/health/live", "192.0.2.1", 60)).containsOnly(200);
            assertThat(statuses(anyone, "/openapi.json", "192.0.2.2", 1)).containsOnly(200);
            assertThat(statuses(anyone.as(GOOD), "/v2/locks", "192.0.2.1", 1)).containsOnly(200);
        }
    }

    private static Set<Integer> statuses(Client client, String path, String address, int times) {
        return IntStream.range(0, times)
                .mapToObj(i -> client.send(client.request(path)
                                .header("X-Forwarded-For", address)
                                .GET())
                        .status())
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("connections of one address beyond its share are closed at once; from elsewhere others come in")
    void connections() throws Exception {
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        Assumptions.assumeTrue(outside.isPresent(), "this machine has no address but loopback");
        Limits few = new Limits(
                16 << 10, 4 << 20, 1 << 20, 8 << 10, 16 << 10, 16, 100, 2, 100, 100, LIMITS.idle(), LIMITS.slow());
        try (TestServer limited = new Setup()
                        .host("0.0.0.0")
                        .auth(new AuthConfig(true, Optional.empty(), List.of()))
                        .limits(few)
                        .start();
                Socket first = new Socket(outside.get(), limited.server.port());
                Socket second = new Socket(outside.get(), limited.server.port())) {
            assertThat(isAnswered(first)).isTrue();
            assertThat(isAnswered(second)).isTrue();
            try (Socket third = new Socket(outside.get(), limited.server.port())) {
                assertThat(isAnswered(third)).isFalse();
            }
            for (int i = 0; i < 5; i++) {
                assertThat(Client.of(limited).get("/health/live").status()).isEqualTo(200);
            }
            first.close();
            Await.until("there is room again", () -> {
                try (Socket next = new Socket(outside.get(), limited.server.port())) {
                    return isAnswered(next);
                } catch (IOException e) {
                    return false;
                }
            });
        }
    }

    private static boolean isAnswered(Socket socket) {
        try {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readNBytes(12).length == 12;
        } catch (IOException e) {
            return false; // closed while we wrote
        }
    }

    // ---- all of it

    @Test
    @DisplayName(
            "idle documents, diffs, reads, streams, waiters and wrong tokens at once: the good one's LOCK takes less than 1 s")
    void siege() throws Exception {
        StateClient large = new StateClient(hostile, "/state/large/prod");
        assertThat(large.lock(id(99)).status()).isEqualTo(200);
        for (int version = 1; version <= 2; version++) {
            assertThat(large.save(id(99), resources(version, 3_000)).status()).isEqualTo(200);
        }
        assertThat(good.acquire("job", "holder-0001", "").status()).isEqualTo(200);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> attackers = new ArrayList<>();
        attackers.add(attack(over, () -> {
            RawClient idle = sending(HOSTILE, "PUT /state/big/prod HTTP/1.1");
            send(idle, "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n");
            Thread.sleep(5);
        }));
        for (int i = 0; i < 2; i++) {
            attackers.add(attack(over, () -> {
                RawClient diff = sending(HOSTILE, "GET /state/large/prod/diff HTTP/1.1");
                send(diff, "\r\n");
                Thread.sleep(20); // and away before it is answered
                diff.close();
            }));
        }
        attackers.add(attack(over, () -> large.load()));
        attackers.add(attack(over, () -> {
            send(sending(HOSTILE, "GET /v2/events HTTP/1.1"), "\r\n");
            Thread.sleep(20);
        }));
        attackers.add(attack(over, () -> {
            CompletableFuture<Answer> unused =
                    hostile.acquireLater("job", "waiter-" + System.nanoTime(), "\"wait_ms\":30000");
            Thread.sleep(10);
        }));
        attackers.add(attack(over, () -> Client.of(server).as("wrong").get("/v2/locks")));
        try {
            Thread.sleep(1_000);
            StateClient stack = new StateClient(good, "/state/shop/prod");
            // Whatever else the machine does makes one row slow; what the hostile one can do makes all of them slow.
            Duration best = Stream.of(1, 2, 3)
                    .map(row -> slowest(stack, row * 100))
                    .min(Duration::compareTo)
                    .orElseThrow();
            assertThat(best).isLessThan(Duration.ofSeconds(1));
        } finally {
            over.set(true);
            for (Thread attacker : attackers) {
                attacker.join(20_000);
            }
        }
    }

    private static Duration slowest(StateClient stack, int first) {
        long slowest = 0;
        for (int i = first; i < first + 20; i++) {
            long start = System.nanoTime();
            assertThat(stack.lock(id(i)).status()).isEqualTo(200);
            slowest = Math.max(slowest, System.nanoTime() - start);
            assertThat(stack.save(id(i), state(i)).status()).isEqualTo(200);
            assertThat(stack.unlock(id(i)).status()).isEqualTo(200);
        }
        return Duration.ofNanos(slowest);
    }

    private interface Attack {
        void once() throws Exception;
    }

    private static Thread attack(AtomicBoolean over, Attack attack) {
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 2_000 && !over.get(); i++) {
                try {
                    attack.once();
                } catch (Exception e) {
                    // refused or cut off: that is what is hoped for
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Many resources of one name: the most work to compare. */
    private static String resources(int serial, int count) {
        String resource = "{\"mode\":\"managed\",\"type\":\"t\",\"name\":\"n\",\"provider\":\"p\",\"instances\":[]}";
        return "{\"version\":4,\"terraform_version\":\"1.11.4\",\"serial\":" + serial
                + ",\"lineage\":\"5c9a2f1e-0000-4000-8000-000000000001\",\"outputs\":{},\"resources\":["
                + String.join(",", Collections.nCopies(count, resource)) + "]}\n";
    }

    private static String id(int number) {
        return String.format("aaaaaaaa-0000-4000-8000-%012d", number);
    }
}
