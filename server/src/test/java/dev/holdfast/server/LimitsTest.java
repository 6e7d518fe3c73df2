package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What one caller may use, and what happens just below and just above. */
@DisplayName("limits")
class LimitsTest {
    private static TestServer server;
    private static Client client;
    private static int names;

    private final String name = "lock-" + names++;

    @BeforeAll
    static void start() {
        server = TestServer.onMemory();
        client = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void assertTooMany(Answer answer, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(429);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        assertThat(answer.json().get("code").text()).isEqualTo(code);
        assertThat(answer.json().get("retry_after_ms").number()).isPositive();
    }

    // ---- requests

    @Test
    @DisplayName("a caller that asks too often is 429 with the time to wait; others are not, and health never is")
    void requests() {
        AuthConfig auth = new AuthConfig(
                false,
                Optional.empty(),
                List.of(
                        TokenEntry.of("one", "token-of-one", Grants.everywhere(Role.LOCK)),
                        TokenEntry.of("two", "token-of-two", Grants.everywhere(Role.LOCK))));
        try (TestServer limited =
                new Setup().auth(auth).rate(new RateLimit.Config(1, 5, 100)).start()) {
            Client one = Client.of(limited).as("token-of-one");
            List<Answer> answers = Stream.generate(() -> one.get("/v2/locks?namespace=n"))
                    .limit(12)
                    .toList();
            assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSizeBetween(5, 9);
            assertTooMany(answers.get(11), "too-many-requests");
            Answer compatible = one.get("/v1/nnn/lock/abc");
            assertThat(compatible.status()).isEqualTo(429);
            assertThat(compatible.header("Retry-After")).isNotEmpty();
            assertThat(compatible.json().fields()).containsExactlyInAnyOrder("message", "errorId");

            Client two = Client.of(limited).as("token-of-two");
            assertThat(two.get("/v2/locks?namespace=n").status()).isEqualTo(200);
            for (int i = 0; i < 20; i++) {
                assertThat(Client.of(limited).get("/health/live").status()).isEqualTo(200);
            }
            Await.until(
                    "one may ask again", () -> one.get("/v2/locks?namespace=n").status() == 200);
        }
    }

    @Test
    @DisplayName("guessing credentials is limited too")
    void guesses() {
        AuthConfig auth = new AuthConfig(
                false, Optional.empty(), List.of(TokenEntry.of("one", "token-of-one", Grants.everywhere(Role.LOCK))));
        try (TestServer limited =
                new Setup().auth(auth).rate(new RateLimit.Config(1, 3, 100)).start()) {
            List<Integer> statuses = IntStream.range(0, 10)
                    .map(i ->
                            Client.of(limited).as("guess-" + i).get("/v2/locks").status())
                    .boxed()
                    .toList();
            assertThat(statuses).contains(401, 429);
            assertThat(statuses.get(9)).isEqualTo(429);
        }
    }

    // ---- connections

    @Test
    @DisplayName("more connections than allowed are closed at once; when one ends another may come")
    void connections() throws Exception {
        Limits few = new Limits(
                16 << 10,
                4 << 20,
                1 << 20,
                8 << 10,
                16 << 10,
                16,
                5,
                2,
                10_000,
                100_000,
                Duration.ofSeconds(75),
                Duration.ofSeconds(10));
        List<Socket> open = new ArrayList<>();
        try (TestServer limited = new Setup().limits(few).start()) {
            for (int i = 0; i < 5; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), limited.server.port());
                open.add(socket);
                assertThat(isAnswered(socket)).as("connection %d", i).isTrue();
            }
            try (Socket sixth = new Socket(InetAddress.getLoopbackAddress(), limited.server.port())) {
                assertThat(isAnswered(sixth)).isFalse();
            }
            for (Socket socket : open) {
                assertThat(isAnswered(socket)).isTrue();
            }
            open.remove(0).close();
            Await.until("there is room again", () -> {
                try (Socket next = new Socket(InetAddress.getLoopbackAddress(), limited.server.port())) {
                    return isAnswered(next);
                } catch (IOException e) {
                    return false;
                }
            });
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static boolean isAnswered(Socket socket) {
        try {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] head = socket.getInputStream().readNBytes(15);
            if (head.length < 15) {
                return false;
            }
            while (socket.getInputStream().read() != '}') {
                // to the end of the answer
            }
            assertThat(socket.getInputStream().read()).isEqualTo('\n');
            return new String(head, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            return false; // closed while we wrote
        }
    }

    // ---- waiters and listeners

    @Test
    @DisplayName("waiters beyond the limit of their namespace are 429; other namespaces wait on")
    void waitersPerNamespace() throws Exception {
        try (TestServer limited = new Setup().waitersPerNamespace(2).start()) {
            Client asking = Client.of(limited);
            hold(asking);
            List<CompletableFuture<Answer>> waiting = fill(asking, 2);
            Answer third = asking.acquire(name, "waiter-3-" + name, "\"wait_ms\":30000");
            assertTooMany(third, "too-many-waiters");
            assertThat(third.json().get("detail").text()).contains("'n'");
            Answer elsewhere = asking.post(
                    "/v2/locks/acquire",
                    "{\"namespace\":\"other\",\"name\":\"x\",\"lease_ms\":60000,\"wait_ms\":1000}");
            assertThat(elsewhere.status()).isEqualTo(200);
            assertThat(asking.acquire(name, "not-waiting-" + name, "").status()).isEqualTo(423);

            asking.release(name, "holder-" + name);
            assertThat(waiting.get(0).get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
            CompletableFuture<Answer> next = asking.acquireLater(name, "waiter-4-" + name, "\"wait_ms\":30000");
            awaitQueue(asking, 2);
            asking.release(name, "waiter-0-" + name);
            waiting.get(1).get(20, TimeUnit.SECONDS);
            asking.release(name, "waiter-1-" + name);
            assertThat(next.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("waiters beyond the limit of their lock are 429, and hear how long the queue is")
    void waitersPerKey() {
        try (TestServer limited = new Setup().waitersPerKey(2).start()) {
            Client asking = Client.of(limited);
            hold(asking);
            fill(asking, 2);
            Answer third = asking.acquire(name, "waiter-3-" + name, "\"wait_ms\":30000");
            assertTooMany(third, "too-many-waiters");
            assertThat(third.json().get("queue_length").number()).isEqualTo(2);
            assertThat(asking.look(name).get("waiters").list()).hasSize(2);
            assertThat(asking.acquire(name + "-b", "other-" + name, "\"wait_ms\":1000")
                            .status())
                    .isEqualTo(200);
        }
    }

    private void hold(Client asking) {
        assertThat(asking.acquire(name, "holder-" + name, "").status()).isEqualTo(200);
    }

    private List<CompletableFuture<Answer>> fill(Client asking, int waiters) {
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(asking.acquireLater(name, "waiter-" + i + "-" + name, "\"wait_ms\":30000"));
            awaitQueue(asking, i + 1);
        }
        return waiting;
    }

    private void awaitQueue(Client asking, int length) {
        Await.until(
                length + " wait", () -> asking.look(name).get("waiters").list().size() == length);
    }

    @Test
    @DisplayName("listeners beyond the limit are 429; when one leaves another may come")
    void listeners() {
        try (TestServer limited = new Setup().eventsClients(1).start()) {
            Client asking = Client.of(limited);
            try (Listening first = new Listening(asking, "")) {
                assertTooMany(asking.get("/v2/events"), "too-many-listeners");
            }
            Await.until("there is room again", () -> {
                try (Listening next = new Listening(asking, "")) {
                    return true;
                } catch (RuntimeException e) {
                    return false;
                }
            });
        }
    }

    // ---- sizes

    @Test
    @DisplayName("metadata has up to 4096 characters and 32 entries")
    void metadata() {
        assertThat(withMetadata("most", Map.of("k", "v".repeat(4_095))).status())
                .isEqualTo(200);
        assertRefused(withMetadata("larger", Map.of("k", "v".repeat(4_096))), "metadata");
        assertThat(withMetadata("many", entries(32)).status()).isEqualTo(200);
        assertRefused(withMetadata("more", entries(33)), "metadata");
        assertThat(client.look(name + "larger").get("holders").list()).isEmpty();
    }

    private static Map<String, String> entries(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value" + i));
    }

    private Answer withMetadata(String which, Map<String, String> metadata) {
        String json = metadata.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        return client.acquire(name + which, "lease-" + name + which, "\"metadata\":" + json);
    }

    private static void assertRefused(Answer answer, String field) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().get("detail").text()).contains(field);
    }

    @Test
    @DisplayName("a body of 16 KB is read, one byte more is 413; chunked or not")
    void body() {
        String json = "{" + Client.key(name) + ",\"lease_ms\":60000}";
        String most = json + " ".repeat((16 << 10) - json.length());
        assertThat(client.post("/v2/locks/acquire", most).status()).isEqualTo(200);
        Answer larger = client.post("/v2/locks/acquire", most.replace(name, name + "x"));
        assertThat(larger.status()).isEqualTo(413);
        assertThat(larger.json().get("code").text()).isEqualTo("body-too-large");
        Answer chunked = client.send(client.request("/v2/locks/acquire")
                .header("Content-Type", "application/json")
                .POST(java.net.http.HttpRequest.BodyPublishers.fromPublisher(
                        java.net.http.HttpRequest.BodyPublishers.ofString(most + " "))));
        assertThat(chunked.status()).isEqualTo(413);
        Answer compatible = client.post("/v1/nnn/lock/abc/acquire", most + " ");
        assertThat(compatible.status()).isEqualTo(413);
        assertThat(compatible.json().fields()).containsExactlyInAnyOrder("message", "errorId");
    }

    @Test
    @DisplayName("a batch of 10 000 leases works, one more is 400 and changes nothing")
    void batch() {
        for (int i = 0; i < 10; i++) {
            client.acquire(name + "-" + i, "lease-" + i + "-" + name, "");
        }
        Answer most = client.renew(pairs(10_000));
        assertThat(most.status()).isEqualTo(200);
        List<Json> results = most.json().get("results").list();
        assertThat(results).hasSize(10_000);
        assertThat(results)
                .filteredOn(result -> result.get("outcome").text().equals("renewed"))
                .hasSize(10);
        assertThat(results.get(9_999).get("outcome").text()).isEqualTo("lost");

        assertRefused(client.release(pairs(10_001)), "leases");
        assertThat(client.look(name + "-0").get("holders").list()).hasSize(1);
        assertThat(client.release(pairs(10_000)).json().get("results").list())
                .filteredOn(result -> result.get("outcome").text().equals("released"))
                .hasSize(10);
    }

    private String[] pairs(int count) {
        return IntStream.range(0, count)
                .boxed()
                .flatMap(i -> Stream.of(name + "-" + i, "lease-" + i + "-" + name))
                .toArray(String[]::new);
    }

    @Test
    @DisplayName("every 423 says when to ask again")
    void askAgain() {
        String path = "/v1/nnn/lock/" + name;
        String other = "{\"instanceId\":\"pod-2\",\"leaseDuration\":60}";
        client.post(path + "/acquire", other.replace("pod-2", "pod-1"));
        List<Answer> refused = List.of(
                client.post(path + "/acquire", other),
                client.post(path + "/renew", other),
                client.post(path + "/release", "{\"instanceId\":\"pod-2\"}"),
                client.post(
                        "/v2/locks/acquire", "{\"namespace\":\"nnn\",\"name\":\"" + name + "\",\"lease_ms\":60000}"));
        for (Answer answer : refused) {
            assertThat(answer.status()).isEqualTo(423);
            assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        }
    }

    // ---- names

    @Test
    @DisplayName("the longest names work in every family of calls; one character more is 400")
    void longest() {
        String namespace = "N".repeat(64);
        String plain = "L".repeat(64);
        String path = "/v1/" + namespace + "/lock/" + plain;
        String body = "{\"instanceId\":\"" + "i".repeat(64) + "\",\"leaseDuration\":86400}";
        assertThat(client.post(path + "/acquire", body).status()).isEqualTo(200);
        assertThat(client.post(path + "/renew", body).status()).isEqualTo(200);
        assertThat(client.get(path).json().has("owner")).isTrue();
        assertThat(client.post(path + "/release", "{\"instanceId\":\"" + "i".repeat(64) + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(client.get(path + "L").status()).isEqualTo(400);
        assertThat(client.post(path + "/acquire", body.replace("iii\"", "iiii\""))
                        .status())
                .isEqualTo(400);

        String longest = "ü €/#?&%+".repeat(56) + "12345678"; // 512 characters, more bytes
        String parts = "p".repeat(31) + "/" + "p/".repeat(14) + "q".repeat(452);
        String lease = "\"namespace\":\"" + namespace + "\",\"name\":\"" + longest + "\",\"lease_id\":\""
                + "l".repeat(128) + "\"";
        Answer granted = client.post(
                "/v2/locks/acquire",
                "{" + lease + ",\"path\":\"" + parts + "\",\"owner\":\"" + "o".repeat(512) + "\",\"reason\":\""
                        + "r".repeat(512) + "\",\"lease_ms\":86400000}");
        assertThat(granted.status()).as(granted.body()).isEqualTo(200);
        assertThat(granted.json().get("name").text()).isEqualTo(longest);
        assertThat(granted.json().get("path").text()).isEqualTo(parts);
        String query = "namespace=" + namespace + "&name=" + URLEncoder.encode(longest, StandardCharsets.UTF_8);
        assertThat(client.get("/v2/lock?" + query).json().get("holders").list()).hasSize(1);
        assertThat(client.get("/v2/history?" + query).json().get("items").list())
                .hasSize(1);
        assertThat(client.get("/api/locks/status?" + query.replace("&name=", "&lockName="))
                        .json()
                        .get("count")
                        .number())
                .isEqualTo(1);
        assertThat(Client.outcome(client.post("/v2/locks/renew", "{\"leases\":[{" + lease + "}]}")))
                .isEqualTo("renewed");
        assertThat(Client.outcome(client.post("/v2/locks/release", "{\"leases\":[{" + lease + "}]}")))
                .isEqualTo("released");
        assertRefused(
                client.post("/v2/locks/acquire", "{" + lease.replace(longest, longest + "9") + ",\"lease_ms\":1000}"),
                "name");
        assertRefused(client.get("/v2/lock?" + query + "9"), "name");
    }
}
