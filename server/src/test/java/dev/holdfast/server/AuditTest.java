package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the audit")
class AuditTest {
    private static final String CI = "token-of-ci";
    private static final String READER = "token-of-reader";
    private static final String ID = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String APP =
            "{\"url\":\"http://127.0.0.1:9/\",\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\"}]}";
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void place() {
        file = directory.resolve("audit.log");
    }

    private Setup setup() {
        return new Setup()
                .trustedProxies("127.0.0.1")
                .audit(AuditConfig.of(Optional.of(file), false, false))
                .auth(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(
                                TokenEntry.of("ci", CI, Grants.everywhere(Role.ADMIN)),
                                TokenEntry.of("reader", READER, Grants.in("billing", Role.READ)))));
    }

    /** Calls with an address behind the proxy, and a request id. */
    private static Answer from(String address, String request, Client client, String method, String path, String body) {
        return client.send(client.request(path)
                .header("Content-Type", "application/json")
                .header("X-Forwarded-For", address)
                .header("X-Request-Id", request)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    private List<Json> lines(String event) {
        try {
            return Files.readAllLines(file).stream()
                    .map(Json::of)
                    .filter(line -> line.get("event").text().equals(event))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Json only(String event) {
        Await.until(event + " is written", () -> !lines(event).isEmpty());
        assertThat(lines(event)).as(event).hasSize(1);
        return lines(event).get(0);
    }

    private static void assertBy(Json line, String principal, String address, String request) {
        assertThat(line.get("principal").text()).isEqualTo(principal);
        assertThat(line.get("remote_addr").text()).isEqualTo(address);
        assertThat(line.get("request_id").text()).isEqualTo(request);
    }

    // ---- who did what

    @Test
    @DisplayName("a missing or wrong token and a missing role leave a line each, with the address behind the proxy")
    void refusals() {
        try (TestServer server = setup().start()) {
            Client anyone = Client.of(server);
            assertThat(from("192.0.2.1", "r1", anyone, "GET", "/v2/locks", "").status())
                    .isEqualTo(401);
            assertThat(from("192.0.2.2", "r2", anyone.as("wrong"), "GET", "/v2/locks", "")
                            .status())
                    .isEqualTo(401);
            assertThat(from("192.0.2.3", "r3", anyone.as(READER), "GET", "/state/shop/prod", "")
                            .status())
                    .isEqualTo(403);
            assertThat(from("192.0.2.4", "r4", anyone.as("wrong"), "GET", "/state/shop/prod", "")
                            .status())
                    .isEqualTo(403);
            Await.until("all are written", () -> lines("auth.refused").size() == 4);
            List<Json> lines = lines("auth.refused");
            assertThat(lines.get(0).get("principal").value()).isNull();
            assertThat(lines.get(0).get("remote_addr").text()).isEqualTo("192.0.2.1");
            assertThat(lines)
                    .extracting(line -> line.get("metadata").get("reason").text())
                    .containsExactly("no_credentials", "bad_credentials", "role", "bad_credentials");
            assertBy(lines.get(2), "reader", "192.0.2.3", "r3");
            assertThat(lines.get(2).get("outcome").text()).isEqualTo("refused");
            assertThat(lines.get(2).get("resource").text()).isEqualTo("GET /state/shop/prod");
            assertThat(anyone.get("/metrics").body())
                    .contains("holdfast_auth_refused_total{reason=\"role\"} 1.0")
                    .contains("holdfast_auth_refused_total{reason=\"bad_credentials\"} 2.0");
        }
    }

    @Test
    @DisplayName("a flood of wrong tokens is counted whole and written in a few lines")
    void flood() {
        try (TestServer server = setup().start()) {
            Client guesser = Client.of(server).as("wrong");
            for (int i = 0; i < 300; i++) {
                from("192.0.2.66", "f" + i, guesser, "GET", "/v2/locks", "");
            }
            from("192.0.2.67", "other", guesser, "GET", "/v2/locks", "");
            assertThat(Client.of(server).get("/metrics").body())
                    .contains("holdfast_auth_refused_total{reason=\"bad_credentials\"} 301.0");
        }
        List<Json> lines = lines("auth.refused");
        assertThat(lines).hasSize(12);
        assertThat(lines)
                .filteredOn(line -> line.get("metadata").fields().contains("count"))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.get("remote_addr").text()).isEqualTo("192.0.2.66");
                    assertThat(line.get("metadata").get("count").text()).isEqualTo("290");
                });
    }

    @Test
    @DisplayName("locks, state that is read, saved and deleted: who, from where, in which request")
    void stateOfStacks() {
        try (TestServer server = setup().start()) {
            Client ci = Client.of(server).as(CI);
            String path = "/state/shop/prod";
            assertThat(from("192.0.2.8", "l1", ci, "LOCK", path, StateClient.info(ID))
                            .status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.8", "s1", ci, "POST", path + "?ID=" + ID, state(1))
                            .status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.8", "g1", ci, "GET", path, "").status()).isEqualTo(200);
            String version = ci.get(path + "/history")
                    .json()
                    .get("items")
                    .list()
                    .get(0)
                    .get("version")
                    .text();
            assertThat(from("192.0.2.8", "v1", ci, "GET", path + "/versions/" + version, "")
                            .status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.8", "d1", ci, "DELETE", path + "?ID=" + ID, "")
                            .status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.8", "u1", ci, "UNLOCK", path, StateClient.info(ID))
                            .status())
                    .isEqualTo(200);

            assertBy(only("lock.acquired"), "ci", "192.0.2.8", "l1");
            assertBy(only("lock.released"), "ci", "192.0.2.8", "u1");
            Await.until("both reads are written", () -> lines("state.read").size() == 2);
            assertBy(lines("state.read").get(0), "ci", "192.0.2.8", "g1");
            assertBy(lines("state.read").get(1), "ci", "192.0.2.8", "v1");
            assertThat(lines("state.read").get(0).get("resource").text()).isEqualTo(path);
            assertThat(lines("state.read").get(0).get("metadata").get("version").text())
                    .isEqualTo(version);
            assertBy(only("state.deleted"), "ci", "192.0.2.8", "d1");
            assertThat(ci.get("/v2/history?namespace=deploy&event=state.deleted")
                            .json()
                            .get("items")
                            .list())
                    .as("and all servers can tell that it was deleted")
                    .singleElement()
                    .satisfies(event -> assertThat(event.get("actor").text()).isEqualTo("ci"));
        }
    }

    @Test
    @DisplayName("the guard: who registered, stopped, started and forgot an app")
    void guard() {
        try (TestServer server = setup().start()) {
            Client ci = Client.of(server).as(CI);
            String path = "/api/guard/apps/shop";
            assertThat(from("192.0.2.9", "g1", ci, "PUT", path, APP).status()).isEqualTo(200);
            assertThat(from("192.0.2.9", "g2", ci, "POST", path + "/start", "").status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.9", "g3", ci, "POST", path + "/stop", "").status())
                    .isEqualTo(200);
            assertThat(from("192.0.2.9", "g4", ci, "DELETE", path, "").status()).isEqualTo(200);
            assertBy(only("guard.registered"), "ci", "192.0.2.9", "g1");
            assertBy(only("guard.start"), "ci", "192.0.2.9", "g2");
            assertBy(only("guard.stop"), "ci", "192.0.2.9", "g3");
            assertThat(only("guard.stop").get("actor").text()).isEqualTo("ci");
            assertBy(only("guard.unregistered"), "ci", "192.0.2.9", "g4");
            assertThat(only("guard.unregistered").get("metadata").get("app").text())
                    .isEqualTo("shop");
        }
    }

    @Test
    @DisplayName(
            "another's request id does not put one's address on the other's deeds, and no stranger says where it comes from")
    void forged() {
        try (TestServer server = setup().start()) {
            Client ci = Client.of(server).as(CI);
            from("192.0.2.66", "same", Client.of(server).as(READER), "POST", "/v2/locks/release", "{\"leases\":[]}");
            from("192.0.2.1", "same", ci, "POST", "/v2/locks/acquire", acquire("job"));
            from("192.0.2.66", "same", Client.of(server).as(READER), "POST", "/v2/locks/release", "{\"leases\":[]}");
            assertBy(only("lock.acquired"), "ci", "192.0.2.1", "same");
        }
        file = directory.resolve("direct.log");
        try (TestServer server = setup().trustedProxies()
                .audit(AuditConfig.of(Optional.of(file), false, false))
                .start()) {
            from("192.0.2.66", "r", Client.of(server), "GET", "/v2/locks", "");
            assertThat(only("auth.refused").get("remote_addr").text()).isEqualTo("127.0.0.1");
        }
    }

    private static String acquire(String name) {
        return "{" + Client.key(name) + ",\"lease_ms\":60000,\"lease_id\":\"lease-of-" + name + "\"}";
    }

    // ---- where it is required

    @Test
    @DisplayName("required: what changes something, or shows state, is written before it is done")
    void writtenFirst() {
        try (TestServer server =
                setup().audit(AuditConfig.of(Optional.of(file), false, true)).start()) {
            Client ci = Client.of(server).as(CI);
            assertThat(from("192.0.2.1", "a1", ci, "POST", "/v2/locks/acquire", acquire("job"))
                            .status())
                    .isEqualTo(200);
            assertBy(only("request.received"), "ci", "192.0.2.1", "a1");
            assertThat(only("request.received").get("resource").text()).isEqualTo("POST /v2/locks/acquire");
            ci.get("/v2/locks");
            ci.renew("job", "lease-of-job");
            assertThat(lines("request.received"))
                    .as("looking and renewing are no events")
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("required, and the disk is full: 503 for what changes something or shows state, and nothing is done")
    void full() {
        Assumptions.assumeTrue(Files.isWritable(FULL), "this machine has no /dev/full");
        AuditConfig required = AuditConfig.of(Optional.of(FULL), false, true);
        try (TestServer server = setup().audit(required).start()) {
            Client ci = Client.of(server).as(CI);
            for (int i = 0; i < 3; i++) {
                Answer refused = from("192.0.2.1", "a", ci, "POST", "/v2/locks/acquire", acquire("job"));
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.json().get("code").text()).isEqualTo("audit-unavailable");
                assertThat(refused.header("Retry-After")).isNotEmpty();
            }
            assertThat(from("192.0.2.1", "s", ci, "POST", "/state/shop/prod", state(1))
                            .status())
                    .isEqualTo(503);
            assertThat(from("192.0.2.1", "g", ci, "GET", "/state/shop/prod", "").status())
                    .isEqualTo(503);
            assertThat(from("192.0.2.1", "p", ci, "PUT", "/api/guard/apps/shop", APP)
                            .status())
                    .isEqualTo(503);
            assertThat(ci.look("job").get("holders").list()).isEmpty();
            assertThat(ci.get("/state").json().get("items").list())
                    .as("nothing was saved")
                    .isEmpty();
            assertThat(ci.get("/api/guard/apps").json().get("items").list()).isEmpty();
            assertThat(Client.of(server).get("/health/live").status()).isEqualTo(200);
        }
        AuditConfig optional = AuditConfig.of(Optional.of(FULL), false, false);
        try (TestServer server = setup().audit(optional).start()) {
            assertThat(from("192.0.2.1", "a", Client.of(server).as(CI), "POST", "/v2/locks/acquire", acquire("job"))
                            .status())
                    .as("where it is not required, lines are lost and counted")
                    .isEqualTo(200);
        }
    }
}
