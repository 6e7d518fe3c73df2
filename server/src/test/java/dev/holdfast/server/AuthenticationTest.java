package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.nimbusds.jose.JWSAlgorithm;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.JwtConfigs;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.auth.login.Issuer;
import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.logs.LoggedLines;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.slf4j.Logger;

/** Who may do what, as clients of every kind see it. */
@DisplayName("a server that asks who calls")
class AuthenticationTest {
    private static final String ADMIN = "hf_admin-secret-0123456789";
    private static final String LOCKER = "hf_locker-secret-0123456789";
    private static final String READER = "hf_reader-secret-0123456789";
    private static final String NOBODY = "hf_nobody-secret-0123456789";
    private static final List<TokenEntry> TOKENS = List.of(
            TokenEntry.of("ops", ADMIN, Grants.everywhere(Role.ADMIN)),
            TokenEntry.of("worker-7", LOCKER, Grants.in("alpha", Role.LOCK)),
            TokenEntry.of("viewer", READER, Grants.in("alpha", Role.READ)),
            TokenEntry.of("guest", NOBODY, Grants.NONE));

    private static final Issuer ISSUER = new Issuer();
    private static final LoggedLines OWN_LOG = LoggedLines.of("dev.holdfast", Level.TRACE);
    private static final LoggedLines WHOLE_LOG = LoggedLines.of(Logger.ROOT_LOGGER_NAME, Level.INFO);
    private static final List<String> JWTS = new ArrayList<>();
    private static TestServer server;
    private static Client anyone;
    private static int names;

    private final String name = "lock-" + names++;

    @BeforeAll
    static void start() {
        server = new Setup().auth(asking(ISSUER.url())).privateMetrics().start();
        anyone = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
        ISSUER.close();
        WHOLE_LOG.close();
        OWN_LOG.close();
    }

    private static AuthConfig asking(URI issuer) {
        return new AuthConfig(false, Optional.of(JwtConfigs.issuedBy(issuer, "holdfast")), TOKENS);
    }

    private static String jwt(String subject, Map<String, List<String>> roles) {
        String token = Issuer.sign(
                Issuer.RSA,
                JWSAlgorithm.RS256,
                ISSUER.claims(Instant.now())
                        .subject(subject)
                        .jwtID(UUID.randomUUID().toString())
                        .claim(JwtConfigs.ROLES_CLAIM, roles)
                        .build());
        JWTS.add(token);
        return token;
    }

    private String acquiring(String namespace, String more) {
        return "{\"namespace\":\"" + namespace + "\",\"name\":\"" + name + "\",\"lease_ms\":60000" + more + "}";
    }

    private Answer acquire(Client client, String namespace) {
        return client.post("/v2/locks/acquire", acquiring(namespace, ""));
    }

    private static Stream<Route> closedRoutes() {
        return server.server.routes().stream().filter(route -> route.access() == Route.Access.KNOWN);
    }

    // ---- nobody comes in unknown

    @TestFactory
    @DisplayName("every route but the open ones is 401 without credentials, in the words of its family")
    Stream<DynamicTest> unknown() {
        return closedRoutes()
                .map(route -> DynamicTest.dynamicTest(route.method() + " " + route.path(), () -> {
                    for (Client client : List.of(
                            anyone,
                            anyone.as("hf_wrong"),
                            anyone.as(LOCKER + "x"),
                            anyone.with("Basic !!!"),
                            anyone.with("Negotiate abc"))) {
                        Answer answer = client.send(SampleCalls.of(client, route, "alpha", "lock-x"));
                        assertThat(answer.status()).isEqualTo(401);
                        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
                        if (route.style() == ErrorStyle.COMPATIBLE) {
                            assertThat(answer.json().fields()).containsExactlyInAnyOrder("message", "errorId");
                        } else {
                            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
                            assertThat(answer.json().get("code").text()).isEqualTo("unauthorized");
                        }
                    }
                }));
    }

    @TestFactory
    @DisplayName(
            "every route but the open ones is 403 for a caller without roles, and in a namespace that is not its own")
    Stream<DynamicTest> forbidden() {
        return closedRoutes()
                .filter(route -> !route.path().equals("/v2/whoami"))
                .map(route -> DynamicTest.dynamicTest(route.method() + " " + route.path(), () -> {
                    Client guest = anyone.as(NOBODY);
                    assertForbidden(guest.send(SampleCalls.of(guest, route, "alpha", "lock-x")), route);
                    if (route.path().equals("/v2/server")) {
                        return; // about no namespace: a role for anything is enough
                    }
                    Client locker = anyone.as(LOCKER);
                    assertForbidden(locker.send(SampleCalls.of(locker, route, "beta", "lock-x")), route);
                }));
    }

    @Test
    @DisplayName("whoever is let in learns as whom, also without any role; nobody else does")
    void whoami() {
        Answer guest = anyone.as(NOBODY).get("/v2/whoami");
        assertThat(guest.status()).isEqualTo(200);
        assertThat(guest.json().get("principal").text()).isEqualTo("guest");
        assertThat(guest.json().get("authenticated_by").text()).isEqualTo("api-token");
        assertThat(guest.json().get("roles").fields()).isEmpty();
        assertThat(anyone.as(LOCKER).get("/v2/whoami").json().get("roles").fields())
                .contains("alpha");
        assertThat(anyone.get("/v2/whoami").status()).isEqualTo(401);
    }

    private static void assertForbidden(Answer answer, Route route) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        if (route.style() == ErrorStyle.COMPATIBLE) {
            assertThat(answer.json().fields()).containsExactlyInAnyOrder("message", "errorId");
        } else {
            assertThat(answer.json().get("code").text()).isEqualTo("forbidden");
        }
    }

    @Test
    @DisplayName("only what tells nothing about locks is open")
    void openRoutes() {
        assertThat(server.server.routes())
                .filteredOn(route -> route.access() == Route.Access.OPEN)
                .extracting(Route::path)
                .isSubsetOf(
                        "/health/live",
                        "/health/ready",
                        "/openapi.json",
                        "/docs",
                        "/docs/{file}",
                        "/",
                        "/ui/{page}",
                        "/ui/files/{version}/{file}");
    }

    @Test
    @DisplayName("health needs no credentials, and wrong ones do no harm there")
    void open() {
        for (String path : List.of("/health/live", "/health/ready")) {
            assertThat(anyone.get(path).status()).isEqualTo(200);
            assertThat(anyone.as("wrong").get(path).status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("two Authorization headers are refused, even if one is right")
    void twoHeaders() {
        Answer answer = anyone.send(
                anyone.as(LOCKER).request("/v2/locks?namespace=alpha").header("Authorization", "Bearer x"));
        assertThat(answer.status()).isEqualTo(400);
    }

    // ---- roles

    @Test
    @DisplayName("who may read lists but does not acquire; who may lock does both; neither forces or cleans up")
    void roles() {
        Client reader = anyone.as(READER);
        Client locker = anyone.as(LOCKER);
        assertThat(reader.get("/v2/locks?namespace=alpha").status()).isEqualTo(200);
        assertThat(reader.get("/v1/alpha/lock/" + name).status()).isEqualTo(200);
        assertThat(acquire(reader, "alpha").status()).isEqualTo(403);
        assertThat(reader.post("/v1/alpha/lock/" + name + "/acquire", "{\"instanceId\":\"pod\",\"leaseDuration\":9}")
                        .status())
                .isEqualTo(403);
        Answer granted = acquire(locker, "alpha");
        assertThat(granted.status()).isEqualTo(200);
        assertThat(acquire(locker, "beta").status()).isEqualTo(403);
        long token = granted.json().get("fencing_token").number();
        String force = "{\"namespace\":\"alpha\",\"name\":\"" + name + "\",\"fencing_token\":" + token
                + ",\"reason\":\"stuck\"}";
        assertThat(locker.post("/v2/locks/force-unlock", force).status()).isEqualTo(403);
        assertThat(cleanup(locker).status()).isEqualTo(403);
        assertThat(reader.get("/v2/lock?namespace=alpha&name=" + name)
                        .json()
                        .get("holders")
                        .list())
                .hasSize(1);
        Client admin = anyone.as(ADMIN);
        assertThat(admin.post("/v2/locks/force-unlock", force).status()).isEqualTo(200);
        assertThat(cleanup(admin).status()).isEqualTo(200);
    }

    private static Answer cleanup(Client client) {
        return client.send(client.request("/api/locks/cleanup?dry_run=true")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    @DisplayName("a batch with one lease of a forbidden namespace changes none")
    void mixedBatch() {
        Client admin = anyone.as(ADMIN);
        admin.post("/v2/locks/acquire", acquiring("alpha", ",\"lease_id\":\"alpha-" + name + "\""));
        admin.post("/v2/locks/acquire", acquiring("beta", ",\"lease_id\":\"beta-" + name + "\""));
        String entry = "{\"namespace\":\"%s\",\"name\":\"" + name + "\",\"lease_id\":\"%s-" + name + "\"}";
        Answer answer = anyone.as(LOCKER)
                .post(
                        "/v2/locks/release",
                        "{\"leases\":[" + entry.formatted("alpha", "alpha") + "," + entry.formatted("beta", "beta")
                                + "]}");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(admin.get("/v2/lock?namespace=alpha&name=" + name)
                        .json()
                        .get("holders")
                        .list())
                .hasSize(1);
    }

    @Test
    @DisplayName("a batch that takes one lock in a forbidden namespace takes none")
    void mixedOperations() {
        String entry = "{\"operation\":\"acquire\",\"namespace\":\"%s\",\"name\":\"" + name + "\",\"lease_ms\":60000}";
        Answer answer = anyone.as(LOCKER)
                .post(
                        "/v2/locks/batch",
                        "{\"operations\":[" + entry.formatted("alpha") + "," + entry.formatted("beta") + "]}");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(anyone.as(ADMIN)
                        .get("/v2/lock?namespace=alpha&name=" + name)
                        .json()
                        .get("holders")
                        .list())
                .isEmpty();
    }

    @Test
    @DisplayName("lists without a namespace show only namespaces the caller may read")
    void narrowed() {
        Client admin = anyone.as(ADMIN);
        Client reader = anyone.as(READER);
        try (Listening stream = new Listening(reader, "?prefix=" + name)) {
            String shared = ",\"mode\":\"shared\"";
            admin.post("/v2/locks/acquire", acquiring("beta", shared));
            Json first = null;
            for (int i = 0; first == null && i < 40; i++) { // it says nothing about when it is ready
                admin.post("/v2/locks/acquire", acquiring("beta", shared));
                admin.post("/v2/locks/acquire", acquiring("alpha", shared));
                first = stream.soon();
            }
            assertThat(first).isNotNull();
            assertThat(first.get("namespace").text()).isEqualTo("alpha");
        }
        assertThat(namespaces(reader.get("/v2/locks?prefix=" + name), "items")).containsExactly("alpha");
        assertThat(namespaces(reader.get("/v2/history?name=" + name), "items")).containsOnly("alpha");
        assertThat(namespaces(reader.get("/api/locks/history?name=" + name), "items"))
                .containsOnly("alpha");
        assertThat(namespaces(reader.get("/api/locks/status?lockName=" + name), "active"))
                .containsOnly("alpha");
        assertThat(Set.copyOf(namespaces(admin.get("/api/locks/status?lockName=" + name), "active")))
                .containsExactlyInAnyOrder("alpha", "beta");
    }

    private static List<String> namespaces(Answer answer, String field) {
        return answer.json().get(field).list().stream()
                .map(item -> item.get("namespace").text())
                .toList();
    }

    // ---- names

    @Test
    @DisplayName("the owner is the token's id or the JWT's subject, unless another is named; the actor always is")
    void owner() {
        assertThat(acquire(anyone.as(LOCKER), "alpha").json().get("owner").text())
                .isEqualTo("worker-7");
        String alice = jwt("alice", Map.of("gamma", List.of("lock")));
        Answer named = anyone.as(alice)
                .post("/v2/locks/acquire", acquiring("gamma", ",\"owner\":\"batch-9\",\"mode\":\"shared\""));
        assertThat(named.json().get("owner").text()).isEqualTo("batch-9");
        Answer unnamed = anyone.as(alice).post("/v2/locks/acquire", acquiring("gamma", ",\"mode\":\"shared\""));
        assertThat(unnamed.json().get("owner").text()).isEqualTo("alice");
        assertThat(anyone.as(alice)
                        .get("/v2/history?namespace=gamma&name=" + name)
                        .json()
                        .get("items")
                        .list())
                .hasSize(2)
                .allMatch(event -> event.get("actor").text().equals("alice"));
    }

    @Test
    @DisplayName("/v1: the owner is the subject, and two subjects with the same instanceId are two holders")
    void compatible() {
        Client alice = anyone.as(jwt("alice", Map.of("alpha", List.of("lock"))));
        Client bob = anyone.as(jwt("bob", Map.of("alpha", List.of("lock"))));
        String path = "/v1/alpha/lock/" + name;
        String body = "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}";
        Answer granted = alice.post(path + "/acquire", body);
        assertThat(granted.status()).isEqualTo(200);
        assertThat(granted.json().get("owner").text()).isEqualTo("alice");
        assertThat(bob.post(path + "/acquire", body).status()).isEqualTo(423);
        assertThat(bob.post(path + "/renew", body).status()).isEqualTo(423);
        assertThat(bob.post(path + "/release", "{\"instanceId\":\"pod-1\"}").status())
                .isEqualTo(423);
        assertThat(alice.post(path + "/acquire", body).status()).isEqualTo(200);
        assertThat(alice.post(path + "/release", "{\"instanceId\":\"pod-1\"}").status())
                .isEqualTo(200);
        assertThat(bob.post(path + "/acquire", body).json().get("owner").text()).isEqualTo("bob");
    }

    @Test
    @DisplayName("Basic takes a token as password, whatever the user name")
    void basic() {
        for (String pair : List.of("x:" + LOCKER, ":" + LOCKER)) {
            Client basic =
                    anyone.with("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
            assertThat(basic.get("/v2/locks?namespace=alpha").status()).isEqualTo(200);
            assertThat(basic.get("/v2/locks?namespace=beta").status()).isEqualTo(403);
        }
    }

    // ---- JWTs and their issuer

    @Test
    @DisplayName("a JWT of another key, of another issuer, expired or unsigned is 401")
    void wrongJwt() {
        var claims = ISSUER.claims(Instant.now());
        List<String> wrong = List.of(
                Issuer.sign(Issuer.rsa("rsa-1"), JWSAlgorithm.RS256, claims.build()),
                Issuer.sign(
                        Issuer.RSA,
                        JWSAlgorithm.RS256,
                        ISSUER.claims(Instant.now()).issuer("http://other").build()),
                Issuer.sign(
                        Issuer.RSA,
                        JWSAlgorithm.RS256,
                        ISSUER.claims(Instant.now().minusSeconds(9_000)).build()),
                jwt("alice", Map.of()).replaceFirst("\\.[^.]*$", "."));
        for (String token : wrong) {
            Answer answer = anyone.as(token).get("/v2/locks?namespace=billing");
            assertThat(answer.status()).as(answer.body()).isEqualTo(401);
            assertThat(answer.body()).doesNotContain(token);
        }
    }

    @Test
    @DisplayName("a JWT with a body works on a kept connection, also while its keys are fetched")
    void jwtWithBody() {
        try (Issuer fresh = new Issuer();
                TestServer other = new Setup().auth(asking(fresh.url())).start()) {
            String token = Issuer.sign(
                    Issuer.EC, JWSAlgorithm.ES256, fresh.claims(Instant.now()).build());
            Client alice = Client.of(other).as(token);
            for (int i = 0; i < 3; i++) {
                Answer granted = alice.post("/v2/locks/acquire", acquiring("billing", ",\"mode\":\"shared\""));
                assertThat(granted.status()).as(granted.body()).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName(
            "known keys go on working while the issuer is away; unknown ones are never taken for wrong by accident")
    void outage() {
        try (Issuer fresh = new Issuer();
                TestServer other = new Setup().auth(asking(fresh.url())).start()) {
            Client of = Client.of(other);
            assertThat(of.as(signed(fresh)).get("/v2/locks?namespace=billing").status())
                    .isEqualTo(200);
            fresh.mood = Issuer.Mood.FAILING;
            assertThat(of.as(signed(fresh)).get("/v2/locks?namespace=billing").status())
                    .isEqualTo(200);
            fresh.close();
            assertThat(of.as(signed(fresh)).get("/v2/locks?namespace=billing").status())
                    .isEqualTo(200);
        }
    }

    private static String signed(Issuer issuer) {
        return Issuer.sign(
                Issuer.RSA,
                JWSAlgorithm.RS256,
                issuer.claims(Instant.now()).jwtID(UUID.randomUUID().toString()).build());
    }

    @Test
    @DisplayName("an issuer that was never reached is 503 with Retry-After, not 401; API tokens work meanwhile")
    void neverReached() {
        URI nowhere = URI.create("http://127.0.0.1:1");
        try (TestServer other = new Setup().auth(asking(nowhere)).start()) {
            String token = Issuer.sign(
                    Issuer.RSA,
                    JWSAlgorithm.RS256,
                    ISSUER.claims(Instant.now()).issuer(nowhere.toString()).build());
            Answer answer = Client.of(other).as(token).get("/v2/locks?namespace=billing");
            assertThat(answer.status()).as(answer.body()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(answer.json().get("code").text()).isEqualTo("authentication-unavailable");
            Answer compatible = Client.of(other)
                    .as(token)
                    .post("/v1/billing/lock/abc/acquire", "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}");
            assertThat(compatible.status()).isEqualTo(503);
            assertThat(compatible.json().fields()).containsExactlyInAnyOrder("message", "errorId");
            assertThat(Client.of(other)
                            .as(LOCKER)
                            .get("/v2/locks?namespace=alpha")
                            .status())
                    .isEqualTo(200);
        }
    }

    // ---- secrets

    @Test
    @DisplayName("credentials are in no log line, answer, header or description")
    void secrets() {
        String jwt = jwt("alice", Map.of("alpha", List.of("lock")));
        List<String> answers = new ArrayList<>();
        for (String token : List.of(ADMIN, LOCKER, READER, NOBODY, jwt, jwt + "x", "hf_wrong-secret-9876543210")) {
            Client client = anyone.as(token);
            for (Route route : server.server.routes()) {
                if (!route.path().equals(SampleCalls.EVENTS)) {
                    Answer answer = client.send(SampleCalls.of(client, route, "alpha", name));
                    answers.add(answer.body() + answer.response().headers().map());
                }
            }
            answers.add(anyone.with("Bearer  " + token + " " + token)
                    .get("/v2/locks")
                    .body());
            answers.add(anyone.with("Token " + token).get("/v2/locks").body());
        }
        answers.add(asking(ISSUER.url()).toString());
        answers.add(new Setup().auth(asking(ISSUER.url())).config().toString());
        WHOLE_LOG
                .events()
                .forEach(line -> answers.add(line.getFormattedMessage()
                        + line.getKeyValuePairs()
                        + line.getMDCPropertyMap()
                        + thrown(line)));
        List<String> secrets =
                new ArrayList<>(List.of("admin-secret", "locker-secret", "reader-secret", "nobody-secret"));
        secrets.add("wrong-secret");
        TOKENS.forEach(token -> secrets.add(token.sha256()));
        JWTS.forEach(token -> secrets.add(token.substring(token.lastIndexOf('.') + 1)));
        secrets.removeIf(String::isEmpty);
        for (String text : answers) {
            assertThat(text).doesNotContain(secrets);
        }
    }

    private static String thrown(ILoggingEvent line) {
        return line.getThrowableProxy() == null ? "" : line.getThrowableProxy().getMessage();
    }
}
