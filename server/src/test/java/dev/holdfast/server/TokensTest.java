package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.testkit.Await;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that are made and revoked while servers run. */
@DisplayName("/v2/tokens")
class TokensTest {
    private static final String ROOT = "hf_root-secret-0123456789";
    private static final String MANY = "hf_admin-of-one-0123456789";
    private static final AuthConfig AUTH = new AuthConfig(
            false,
            Optional.empty(),
            List.of(
                    TokenEntry.of("root", ROOT, Grants.everywhere(Role.ADMIN)),
                    TokenEntry.of("some", MANY, Grants.in("n", Role.ADMIN))));
    /** Two seconds are promised; the rest is for a machine that does many things at once. */
    private static final Duration SOON = Duration.ofSeconds(4);

    @TempDir
    Path directory;

    private TestServer server;
    private Client root;

    @BeforeEach
    void start() {
        server = new Setup().auth(AUTH).start();
        root = Client.of(server).as(ROOT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String asking(String id, String more) {
        return "{\"id\":\"" + id + "\",\"roles\":{\"n\":[\"lock\"]}" + more + "}";
    }

    private Client made(String id, String more) {
        Answer made = root.post("/v2/tokens", asking(id, more));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return Client.of(server).as(made.json().get("token").text());
    }

    private static Answer revoke(Client by, String id) {
        return by.send(by.request("/v2/tokens/" + id).method("DELETE", BodyPublishers.noBody()));
    }

    // ---- making, listing, revoking

    @Test
    @DisplayName("makes a token that works at once, says so once, and lists it without token and hash")
    void create() {
        Answer made = root.post("/v2/tokens", asking("ci", ",\"expires_in_ms\":3600000,\"group\":\"builds\""));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        String token = made.json().get("token").text();
        assertThat(token).matches("hf_[A-Za-z0-9_-]{43}");
        assertThat(made.json().get("created_by").text()).isEqualTo("root");

        Client ci = Client.of(server).as(token);
        Answer held = ci.acquire("a", "lease-of-ci", "");
        assertThat(held.status()).as(held.body()).isEqualTo(200);
        assertThat(held.json().get("owner").text()).isEqualTo("ci");
        assertThat(ci.get("/v2/locks?namespace=other").status()).isEqualTo(403);

        Answer listed = root.get("/v2/tokens");
        assertThat(listed.body()).doesNotContain("sha256", token);
        Json entry = listed.json().get("items").list().stream()
                .filter(it -> it.get("id").text().equals("ci"))
                .findFirst()
                .orElseThrow();
        assertThat(entry.get("group").text()).isEqualTo("builds");
        assertThat(entry.get("source").text()).isEqualTo("stored");
        assertThat(Instant.parse(entry.get("expires_at").text()))
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(59)),
                        Instant.now().plus(Duration.ofMinutes(61)));
        assertThat(listed.json().get("items").list())
                .extracting(it -> it.get("id").text())
                .containsExactly("root", "some", "ci");
    }

    @Test
    @DisplayName("needs admin in all namespaces")
    void admins() {
        for (Client client : List.of(Client.of(server).as(MANY), made("ci", ""))) {
            assertThat(client.post("/v2/tokens", asking("x", "")).status()).isEqualTo(403);
            assertThat(client.get("/v2/tokens").status()).isEqualTo(403);
            assertThat(revoke(client, "ci").status()).isEqualTo(403);
        }
        assertThat(Client.of(server).post("/v2/tokens", "{").status()).isEqualTo(401);
        assertThat(Client.of(server).as(MANY).post("/v2/tokens", "{").status())
                .as("the role before the body")
                .isEqualTo(403);
    }

    @Test
    @DisplayName("refuses what no token can be, and an id that is taken; an expired one may be replaced")
    void refused() throws Exception {
        for (String body : List.of(
                "{}",
                asking("a b", ""),
                asking("anonymous", ""),
                asking("ci", ",\"expires_in_ms\":0"),
                asking("ci", ",\"expires_in_ms\":-1"),
                asking("ci", ",\"expires_in_ms\":999999999999999"),
                asking("ci", ",\"group\":\"a b\""),
                asking("ci", ",\"sha256\":\"00\""),
                "{\"id\":\"ci\",\"roles\":{}}",
                "{\"id\":\"ci\",\"roles\":{\"n\":[]}}",
                "{\"id\":\"ci\",\"roles\":{\"n\":\"lock\"}}",
                "{\"id\":\"ci\",\"roles\":{\"n\":[\"root\"]}}",
                "{\"id\":\"ci\",\"roles\":{\"a b\":[\"lock\"]}}")) {
            assertThat(root.post("/v2/tokens", body).status()).as(body).isEqualTo(400);
        }
        made("brief", ",\"expires_in_ms\":1000");
        Answer taken = root.post("/v2/tokens", asking("brief", ""));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.json().get("code").text()).isEqualTo("token-exists");
        assertThat(root.post("/v2/tokens", asking("root", ""))
                        .json()
                        .get("detail")
                        .text())
                .contains("auth.tokens");
        TimeUnit.MILLISECONDS.sleep(1_100);
        made("brief", "");
    }

    @Test
    @DisplayName("revokes: 200 once, then 404; one of the configuration is removed there")
    void revoked() {
        Client ci = made("ci", "");
        assertThat(ci.get("/v2/locks?namespace=n").status()).isEqualTo(200);
        assertThat(revoke(root, "ci").status()).isEqualTo(200);
        assertThat(ci.get("/v2/locks?namespace=n").status()).isEqualTo(401);
        assertThat(revoke(root, "ci").status()).isEqualTo(404);
        Answer configured = revoke(root, "some");
        assertThat(configured.status()).isEqualTo(404);
        assertThat(configured.json().get("detail").text()).contains("configuration");
    }

    @Test
    @DisplayName("an expired token is refused at once, in words that say so")
    void expired() throws Exception {
        Client brief = made("brief", ",\"expires_in_ms\":1500");
        assertThat(brief.get("/v2/locks?namespace=n").status()).isEqualTo(200);
        TimeUnit.MILLISECONDS.sleep(1_600);
        Answer answer = brief.get("/v2/locks?namespace=n");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.json().get("detail").text()).contains("expired at");
    }

    @Test
    @DisplayName("a server that asks nobody makes no tokens: everybody could make themselves an admin of others")
    void open() {
        try (TestServer anyone = TestServer.onMemory()) {
            Client client = Client.of(anyone);
            Answer answer = client.post("/v2/tokens", asking("ci", ""));
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.json().get("code").text()).isEqualTo("authentication-off");
            assertThat(revoke(client, "ci").status()).isEqualTo(409);
            assertThat(client.get("/v2/tokens").json().get("items").list()).isEmpty();
        }
    }

    // ---- other servers on the same store

    @Test
    @DisplayName(
            "a token made on one server works on another within two seconds, and does not once revoked; both outlive a restart")
    void replicas() {
        String store = "sqlite:" + directory.resolve("locks.db");
        Setup setup = new Setup().auth(AUTH).store(store);
        Client kept;
        try (TestServer one = setup.start();
                TestServer two = setup.start()) {
            Client admin = Client.of(one).as(ROOT);
            String token = admin.post("/v2/tokens", asking("ci", ""))
                    .json()
                    .get("token")
                    .text();
            Client elsewhere = Client.of(two).as(token);
            until(elsewhere, 200);
            assertThat(revoke(Client.of(two).as(ROOT), "ci").status()).isEqualTo(200);
            assertThat(elsewhere.get("/v2/locks?namespace=n").status()).isEqualTo(401);
            until(Client.of(one).as(token), 401);
            kept = Client.of(one)
                    .as(admin.post("/v2/tokens", asking("kept", ""))
                            .json()
                            .get("token")
                            .text());
        }
        try (TestServer again = setup.start()) {
            Client later = new Client(again.url(), kept.authorization());
            assertThat(later.get("/v2/locks?namespace=n").status()).isEqualTo(200);
        }
    }

    private static void until(Client client, int status) {
        long start = System.nanoTime();
        Await.until(
                "it answers " + status,
                () -> client.get("/v2/locks?namespace=n").status() == status);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    }

    // ---- what was opened

    @Test
    @DisplayName("the event stream of a revoked token ends, that of another goes on")
    void streams() {
        Client ci = made("ci", "");
        Client cd = made("cd", "");
        try (Listening stream = new Listening(ci, "?namespace=n");
                Listening other = new Listening(cd, "?namespace=n")) {
            revoke(root, "ci");
            long start = System.nanoTime();
            assertThat(stream.next().get("reason").text()).contains("revoked");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
            Await.until("the other still hears", () -> {
                cd.acquire("a", "lease-of-cd", "");
                cd.release("a", "lease-of-cd");
                Json event = other.soon();
                return event != null && event.has("event");
            });
        }
    }

    @Test
    @DisplayName("the event stream of a token that expires ends")
    void expiredStream() {
        Client brief = made("brief", ",\"expires_in_ms\":2000");
        try (Listening stream = new Listening(brief, "?namespace=n")) {
            assertThat(stream.next().get("reason").text()).contains("expired");
        }
    }

    @Test
    @DisplayName("who waits for a lock with a token that is revoked is refused, and its place is given up")
    void waiting() throws Exception {
        Client ci = made("ci", "");
        assertThat(root.acquire("a", "lease-of-root", "").status()).isEqualTo(200);
        CompletableFuture<Answer> waiting = ci.acquireLater("a", "lease-of-ci", "\"wait_ms\":30000");
        Await.until("it waits", () -> root.look("a").get("waiters").list().size() == 1);
        revoke(root, "ci");
        long start = System.nanoTime();
        Answer answer = waiting.get(20, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        Await.until(
                "its place is free", () -> root.look("a").get("waiters").list().isEmpty());
        assertThat(Client.outcome(root.release("a", "lease-of-root"))).isEqualTo("released");
        assertThat(root.look("a").get("holders").list()).isEmpty();
    }
}
