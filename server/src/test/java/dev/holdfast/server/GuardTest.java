package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.probe.AddressPolicy;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The guard over HTTP")
class GuardTest {
    private static final String TOKEN = "a-token-of-the-reader";
    private static final String DATABASES = "\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\"}]";

    private final AtomicInteger code = new AtomicInteger(200);
    private HttpServer app;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        app.createContext("/", call -> {
            call.sendResponseHeaders(call.getRequestURI().getPath().equals("/missing") ? 404 : code.get(), -1);
            call.close();
        });
        app.start();
    }

    @AfterEach
    void stop() {
        app.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + app.getAddress().getPort() + "/";
    }

    private static GuardOptions options(Map<String, Map<String, String>> actuators, Optional<URI> gateway) {
        GuardConfig usual = GuardConfig.DEFAULT;
        GuardConfig quick = usual.withQuickStatusTimeout(Duration.ofSeconds(20))
                .withConfirmationPause(Duration.ofMillis(10))
                .withInterval(Duration.ofMillis(100));
        return new GuardOptions(
                true,
                Optional.empty(),
                quick,
                new GuardOptions.Probes(AddressPolicy.standard(), Optional.empty(), gateway),
                actuators,
                "log",
                Duration.ofSeconds(30));
    }

    private static TestServer guarded() {
        return TestServer.start(guardedBy(options(Map.of(), Optional.empty())));
    }

    private static Answer put(TestServer server, String name, String body) {
        return server.send(server.request("/api/guard/apps/" + name)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
    }

    private String app(String url) {
        return "{\"url\":\"" + url + "\"," + DATABASES + "}";
    }

    @Test
    @DisplayName("an app may not name a database that its actuator is not allowed to act on")
    void allowList() {
        Map<String, Map<String, String>> actuators =
                Map.of("boxes", Map.of("type", "log", "allow", "[\"db1:*\",\"i-0abc1234\"]"));
        try (TestServer server = TestServer.start(guardedBy(options(actuators, Optional.empty())))) {
            String mine = "{\"url\":\"" + url()
                    + "\",\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\",\"actuator\":\"boxes\"}]}";
            assertThat(put(server, "shop", mine).status()).isEqualTo(200);
            for (String other : List.of(
                    "\"host\":\"db9\"",
                    "\"instance_id\":\"i-0victim\"",
                    "\"host\":\"db1\",\"instance_id\":\"i-0victim\"")) {
                Answer refused = put(
                        server,
                        "evil",
                        "{\"url\":\"" + url() + "\",\"databases\":[{\"type\":\"postgres\"," + other
                                + ",\"actuator\":\"boxes\"}]}");
                assertThat(refused.status()).as(other).isEqualTo(422);
                assertThat(refused.body()).contains("guard.actuators.boxes.allow");
            }
            assertThat(server.get("/api/guard/apps/evil").status()).isEqualTo(404);
        }
    }

    // ---- looking

    @Test
    @DisplayName("tells the quick status of an app in the words of the document, and 404 for one it does not know")
    void quickStatus() {
        try (TestServer server = guarded()) {
            put(server, "shop", app(url()));
            put(server, "lost", app(url() + "missing"));
            put(server, "gone", app("http://127.0.0.1:9/"));
            Json up = server.get("/status/quick?app=shop").json();
            assertThat(up.fields()).containsExactlyInAnyOrder("app", "status", "http_code", "timestamp");
            assertThat(up.get("status").text()).isEqualTo("UP");
            assertThat(up.get("http_code").value()).isEqualTo(200L);
            Json down = server.get("/status/quick?app=lost").json();
            assertThat(down.get("status").text()).isEqualTo("DOWN");
            assertThat(down.get("http_code").value()).isEqualTo(404L);
            Json unknown = server.get("/status/quick?app=gone").json();
            assertThat(unknown.get("status").text()).isEqualTo("UNKNOWN");
            assertThat(server.get("/status/quick?app=nobody").status()).isEqualTo(404);
            assertThat(server.get("/status/quick?app=..%2F").status()).isEqualTo(404);
            assertThat(server.get("/status/quick").status()).isEqualTo(400);
        }
    }

    @Test
    @DisplayName("registers, shows, changes and forgets apps; pages of them")
    void registry() {
        try (TestServer server = guarded()) {
            Json made = put(server, "shop", app(url())).json();
            assertThat(made.get("version").value()).isEqualTo(1L);
            assertThat(made.get("databases").list().get(0).get("host").text()).isEqualTo("db1:5432");
            assertThat(put(server, "shop", app(url())).json().get("version").value())
                    .as("nothing was changed")
                    .isEqualTo(1L);
            assertThat(put(server, "shop", app(url() + "x"))
                            .json()
                            .get("version")
                            .value())
                    .isEqualTo(2L);
            put(server, "billing", app(url()));
            Json page = server.get("/api/guard/apps?limit=1").json();
            assertThat(page.get("items").list()).hasSize(1);
            assertThat(page.get("next_cursor").text()).isEqualTo("billing");
            Json rest = server.get("/api/guard/apps?cursor=billing").json();
            assertThat(rest.get("items").list().get(0).get("app").text()).isEqualTo("shop");
            Json resource = server.get("/api/guard/resources/db1:5432")
                    .json()
                    .get("items")
                    .list()
                    .get(0);
            assertThat(resource.get("apps").list()).hasSize(2);
            assertThat(server.send(server.request("/api/guard/apps/shop").DELETE())
                            .status())
                    .isEqualTo(200);
            assertThat(server.send(server.request("/api/guard/apps/shop").DELETE())
                            .status())
                    .isEqualTo(404);
            assertThat(server.get("/api/guard/apps/shop").status()).isEqualTo(404);
            assertThat(server.get("/api/guard/resources/none:1")
                            .json()
                            .get("code")
                            .text())
                    .isEqualTo("unknown-resource");
        }
    }

    // ---- stopping and starting

    @Test
    @DisplayName("stops when nobody needs it, tells why when somebody does, and counts both")
    void stopAndStart() {
        try (TestServer server = guarded()) {
            put(server, "shop", app(url()));
            put(server, "billing", app("http://127.0.0.1:9/"));
            Json dry = decision(server.post("/api/guard/apps/billing/stop", "{\"dry_run\":true}"));
            assertThat(dry.get("decision").text()).isEqualTo("skipped_shared_active");
            assertThat(server.get("/api/guard/apps/billing")
                            .json()
                            .get("desired")
                            .text())
                    .isEqualTo("auto");

            Json kept = decision(
                    server.send(server.request("/api/guard/apps/billing/stop").POST(BodyPublishers.noBody())));
            assertThat(kept.get("decision").text()).isEqualTo("skipped_shared_active");
            assertThat(kept.get("reason").text()).contains("shop (answers 200)");
            code.set(503);
            decision(server.post("/api/guard/apps/shop/stop", "{}"));
            Await.until(
                    "it is stopped",
                    () -> server.get("/api/guard/resources").body().contains("\"state\":\"stopped\""));
            assertThat(decision(server.post("/api/guard/apps/shop/start", "{}"))
                            .get("decision")
                            .text())
                    .isEqualTo("started");
            assertThat(server.get("/api/guard/apps/shop")
                            .json()
                            .get("starting_until")
                            .text())
                    .isNotEmpty();
            assertThat(server.get("/metrics").body())
                    .containsPattern("holdfast_db_stop_stopped_total\\{db_identifier=\"db1:5432\"} [1-9]")
                    .containsPattern("holdfast_db_stop_skipped_shared_active_total\\{db_identifier=\"db1:5432\"} [1-9]")
                    .containsPattern(
                            "holdfast_lock_acquire_duration_seconds_count\\{namespace=\"guard\",outcome=\"granted\"[^}]*} [1-9]");
            assertThat(server.get("/v2/history?namespace=guard&event=guard.decision")
                            .body())
                    .contains("\"decision\":\"stopped\"");
        }
    }

    private static Json decision(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get("decisions").list().get(0);
    }

    @Test
    @DisplayName(
            "tells what it saw last of each app, how that stands to a stop, and when one that fails counts as down")
    void lastAnswers() {
        try (TestServer server = guarded()) {
            put(server, "shop", app(url()));
            put(server, "billing", app("http://127.0.0.1:9/"));
            code.set(503);
            decision(server.post("/api/guard/apps/billing/stop", "{}"));
            Await.until(
                    "several answers",
                    () -> resource(server, "?answers=30")
                                    .get("apps")
                                    .list()
                                    .get(1)
                                    .get("answers")
                                    .list()
                                    .size()
                            > 3);
            Json shop = resource(server, "?answers=2&decisions=1")
                    .get("apps")
                    .list()
                    .get(1);
            assertThat(shop.get("app").text()).isEqualTo("shop");
            assertThat(shop.get("standing").text()).isEqualTo("failing");
            assertThat(shop.get("down_after_ms").value()).isEqualTo(300_000L);
            assertThat(Instant.parse(shop.get("down_at").text()))
                    .isBetween(Instant.now().plusSeconds(200), Instant.now().plusSeconds(301));
            assertThat(shop.get("answers").list()).hasSize(2);
            assertThat(shop.get("answers").list().get(0).get("answer").text()).isEqualTo("down");
            assertThat(Instant.parse(shop.get("since").text())).isBefore(Instant.now());
            Json billing = resource(server, "?answers=1").get("apps").list().get(0);
            assertThat(billing.get("desired").text()).isEqualTo("stopped");
            assertThat(billing.get("answers").list().get(0).get("answer").text())
                    .isEqualTo("refused");
        }
    }

    @Test
    @DisplayName("tells as much of each resource as is asked for, and what time it is")
    void depth() {
        try (TestServer server = guarded()) {
            put(server, "shop", app(url()));
            decision(server.post("/api/guard/apps/shop/stop", "{}"));
            decision(server.post("/api/guard/apps/shop/start", "{}"));
            assertThat(resource(server, "").get("decisions").list()).hasSizeGreaterThan(1);
            assertThat(resource(server, "?decisions=1").get("decisions").list()).hasSize(1);
            assertThat(resource(server, "?decisions=0").get("decisions").list()).isEmpty();
            assertThat(resource(server, "")
                            .get("apps")
                            .list()
                            .get(0)
                            .get("answers")
                            .list())
                    .as("only who asks for them")
                    .isEmpty();
            for (String path : List.of("/api/guard/resources", "/api/guard/resources/db1:5432", "/api/guard/apps")) {
                assertThat(Instant.parse(
                                server.get(path).json().get("server_time").text()))
                        .isAfter(Instant.now().minusSeconds(60));
            }
            for (String wrong : List.of("decisions=51", "decisions=-1", "answers=31", "answers=many")) {
                assertThat(server.get("/api/guard/resources?" + wrong).status())
                        .as(wrong)
                        .isEqualTo(400);
                assertThat(server.get("/api/guard/resources/db1:5432?" + wrong).status())
                        .as(wrong)
                        .isEqualTo(400);
            }
        }
    }

    private static Json resource(TestServer server, String query) {
        return server.get("/api/guard/resources" + query)
                .json()
                .get("items")
                .list()
                .get(0);
    }

    @Test
    @DisplayName("a decision says what was seen of each app and how that counted, and what the actuator said")
    void structuredEvidence() {
        Map<String, String> broken =
                Map.of("type", "command", "stop", "false", "start", "true", "status", "echo running");
        GuardOptions usual = options(Map.of("broken", broken), Optional.empty());
        GuardOptions guarded = new GuardOptions(
                true, usual.store(), usual.config(), usual.probes(), usual.actuators(), "broken", usual.answerWithin());
        code.set(503);
        try (TestServer server = TestServer.start(guardedBy(guarded))) {
            put(server, "shop", app(url()));
            Json failed = decision(server.post("/api/guard/apps/shop/stop", "{}"));
            assertThat(failed.get("decision").text()).isEqualTo("pending");
            assertThat(failed.get("act").get("failed").value()).isEqualTo(true);
            assertThat(failed.get("reason").text())
                    .contains(failed.get("act").get("said").text());
            assertThat(failed.get("evidence").list().get(0).get("standing").text())
                    .isEqualTo("gone");
            assertThat(resource(server, "?decisions=1")
                            .get("decisions")
                            .list()
                            .get(0)
                            .get("act")
                            .get("failed")
                            .value())
                    .isEqualTo(true);
        }
    }

    @Test
    @DisplayName("an app without databases can be looked at; its stop has nothing to decide")
    void withoutDatabases() {
        try (TestServer server = TestServer.start(TestServer.OPEN)) {
            put(server, "page", "{\"url\":\"" + url() + "\",\"databases\":[]}");
            put(server, "page", "{\"url\":\"" + url() + "\"}");
            assertThat(server.get("/status/quick?app=page").json().get("status").text())
                    .isEqualTo("UP");
            assertThat(server.post("/api/guard/apps/page/stop", "{}")
                            .json()
                            .get("decisions")
                            .list())
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("a stop that takes long is answered as pending, and goes on")
    void slowActuator() {
        Map<String, String> slow =
                Map.of("type", "command", "stop", "sleep 3", "start", "true", "status", "echo running");
        GuardOptions usual = options(Map.of("slow", slow), Optional.empty());
        GuardOptions hasty = new GuardOptions(
                true, usual.store(), usual.config(), usual.probes(), usual.actuators(), "slow", Duration.ofMillis(300));
        code.set(503);
        try (TestServer server = TestServer.start(guardedBy(hasty))) {
            put(server, "shop", app(url()));
            Json decision = decision(server.post("/api/guard/apps/shop/stop", "{}"));
            assertThat(decision.get("decision").text()).isEqualTo("pending");
            assertThat(decision.get("reason").text()).contains("continues by itself");
        }
    }

    @Test
    @DisplayName("what only records is told so: in the decision, in the resource, and in what is counted")
    void recordedOnly() {
        code.set(503);
        try (TestServer server = guarded()) {
            put(server, "shop", app(url()));
            Json stopped = decision(server.post("/api/guard/apps/shop/stop", "{}"));
            assertThat(stopped.get("decision").text()).isEqualTo("stopped");
            assertThat(stopped.get("recorded_only").value()).isEqualTo(true);

            Json resource = server.get("/api/guard/resources")
                    .json()
                    .get("items")
                    .list()
                    .get(0);
            assertThat(resource.get("recorded_only").value()).isEqualTo(true);
            assertThat(server.get("/metrics").body())
                    .containsPattern("holdfast_db_stop_recorded_only_total\\{db_identifier=\"db1:5432\"} [1-9]")
                    .containsPattern(
                            "holdfast_lock_acquire_retries_bucket\\{le=\"3.0\"} [1-9]") // the new app is looked at, too
                    .containsPattern("holdfast_lock_acquire_retries_count [1-9]");
        }
    }

    @Test
    @DisplayName("a database that is stopped and needed again is told: in the resource, in the history, and counted")
    void needed() {
        Map<String, String> real = Map.of("type", "command", "stop", "true", "start", "true", "status", "echo stopped");
        GuardOptions usual = options(Map.of("real", real), Optional.empty());
        GuardOptions guarded = new GuardOptions(
                true, usual.store(), usual.config(), usual.probes(), usual.actuators(), "real", usual.answerWithin());
        code.set(503);
        try (TestServer server = TestServer.start(guardedBy(guarded))) {
            put(server, "shop", app(url()));
            decision(server.post("/api/guard/apps/shop/stop", "{}"));
            code.set(200);
            Await.until(
                    "it is told",
                    () -> server.get("/api/guard/resources").body().contains("\"needed_by\":[\"shop\"]"));
            assertThat(server.get("/v2/history?namespace=guard&event=guard.decision")
                            .body())
                    .contains("\"decision\":\"needed\"");
            assertThat(server.get("/metrics").body())
                    .containsPattern("holdfast_db_stop_needed_total\\{db_identifier=\"db1:5432\"} 1")
                    .containsPattern("holdfast_guard_decisions_total\\{decision=\"needed\"} 1");
        }
    }

    @Test
    @DisplayName("an app says which path and codes mean health; what is wrong with that is told")
    void health() {
        try (TestServer server = guarded()) {
            String health =
                    "\"health\":{\"path\":\"/health\",\"up\":[\"200-299\",404],\"down\":[503],\"down_after\":\"10m\"}";
            Json made = put(server, "shop", "{\"url\":\"" + url() + "\"," + health + "}")
                    .json();
            assertThat(made.get("health").get("path").text()).isEqualTo("/health");
            assertThat(made.get("health").get("up").list()).hasSize(2);
            assertThat(made.get("health").get("down_after").text()).isEqualTo("10m");
            assertThat(made.get("warnings").list()).isEmpty();

            Answer wrong = put(
                    server,
                    "shop",
                    "{\"url\":\"" + url() + "\",\"health\":{\"path\":\"x\",\"up\":[700],\"down_after\":\"soon\"}}");
            assertThat(wrong.status()).isEqualTo(422);
            assertThat(wrong.json().get("detail").text()).contains("health.path", "health.up", "health.down_after");
            assertThat(put(server, "shop", "{\"url\":\"" + url() + "\",\"health\":{\"code\":1}}")
                            .status())
                    .isEqualTo(400);
            assertThat(put(server, "shop", "{\"url\":\"" + url() + "\",\"health\":{\"up\":[[]]}}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("an app is unregistered at once, however long its databases take to stop")
    void unregisteredDuringAStop() {
        Map<String, String> slow =
                Map.of("type", "command", "stop", "sleep 30", "start", "true", "status", "echo running");
        GuardOptions usual = options(Map.of("slow", slow), Optional.empty());
        GuardOptions hasty = new GuardOptions(
                true, usual.store(), usual.config(), usual.probes(), usual.actuators(), "slow", Duration.ofMillis(300));
        code.set(503);
        try (TestServer server = TestServer.start(guardedBy(hasty))) {
            put(server, "shop", app(url()));
            decision(server.post("/api/guard/apps/shop/stop", "{}"));
            Answer gone = server.send(server.request("/api/guard/apps/shop").DELETE());
            assertThat(gone.status()).as(gone.body()).isEqualTo(200);
            assertThat(server.get("/api/guard/apps/shop").status()).isEqualTo(404);
            assertThat(server.get("/api/guard/apps").json().get("items").list()).isEmpty();
        }
    }

    // ---- bad input

    @Test
    @DisplayName("what cannot be registered is 422 with everything that is wrong, and nothing is registered")
    void refusedApps() {
        try (TestServer server = guarded()) {
            for (String url : List.of(
                    "ftp://x/", "nonsense", "http://", "http://u:p@h/", "http://169.254.169.254/", "/only/a/path")) {
                Answer answer = put(server, "shop", app(url));
                assertThat(answer.status()).as(url).isEqualTo(422);
                assertThat(answer.json().get("code").text()).isEqualTo("invalid-app");
                assertThat(answer.body()).doesNotContain("u:p@");
            }
            Answer actuator = put(
                    server,
                    "shop",
                    "{\"url\":\"http://h/\",\"databases\":[{\"type\":\"postgres\",\"host\":\"h\",\"actuator\":\"ec2\"}]}");
            assertThat(actuator.status()).isEqualTo(422);
            assertThat(actuator.json().get("detail").text()).contains("'ec2' is not configured", "log");
            assertThat(put(server, "shop", "{\"url\":\"http://h/\"," + DATABASES + ",\"more\":1}")
                            .status())
                    .isEqualTo(400);
            Answer many = server.send(server.request("/api/guard/apps")
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofString("{\"apps\":[{\"app\":\"good\",\"url\":\"http://h/\"," + DATABASES
                            + "},{\"app\":\"bad\",\"url\":\"x\"," + DATABASES + "}]}")));
            assertThat(many.status()).isEqualTo(422);
            assertThat(server.get("/api/guard/apps").json().get("items").list()).isEmpty();
            assertThat(server.post("/api/guard/apps/shop/stop", "{}").status()).isEqualTo(404);
            assertThat(server.post("/api/guard/apps/shop/stop", "{\"dry\":true}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("an app registered where its actuator was configured is not stopped where it is not")
    void missingActuator() throws IOException {
        String documents = "sqlite:" + directory.resolve("guard.db");
        Map<String, String> marks = Map.of(
                "type",
                "command",
                "stop",
                "touch " + directory.resolve("touched"),
                "start",
                "true",
                "status",
                "echo running");
        code.set(503);
        try (TestServer with = TestServer.start(guardedBy(in(documents, Map.of("marks", marks))))) {
            assertThat(put(
                                    with,
                                    "shop",
                                    "{\"url\":\"" + url()
                                            + "\",\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\",\"actuator\":\"marks\"}]}")
                            .status())
                    .isEqualTo(200);
        }
        try (TestServer without = TestServer.start(guardedBy(in(documents, Map.of())))) {
            Answer answer = without.post("/api/guard/apps/shop/stop", "{}");
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.json().get("code").text()).isEqualTo("missing-actuator");
            assertThat(without.get("/api/guard/apps/shop").json().get("desired").text())
                    .isEqualTo("auto");
        }
        assertThat(Files.exists(directory.resolve("touched"))).isFalse();
    }

    private static GuardOptions in(String documents, Map<String, Map<String, String>> actuators) {
        GuardOptions usual = options(actuators, Optional.empty());
        return new GuardOptions(
                true,
                Optional.of(documents),
                usual.config(),
                usual.probes(),
                usual.actuators(),
                usual.usualActuator(),
                usual.answerWithin());
    }

    // ---- settings

    @Test
    @DisplayName("an app whose URL names no host is probed below the gateway")
    void gateway() {
        GuardOptions behind = options(Map.of(), Optional.of(URI.create(url() + "api/")));
        try (TestServer server = TestServer.start(guardedBy(behind))) {
            Json made = put(server, "shop", app("/shop/")).json();
            assertThat(made.get("url").text()).isEqualTo(url() + "api/shop/");
            assertThat(server.get("/status/quick?app=shop").json().get("status").text())
                    .isEqualTo("UP");
        }
    }

    @Test
    @DisplayName("a server without guard, or whose documents cannot be kept, says so with 503 and still serves locks")
    void off() {
        GuardOptions usual = options(Map.of(), Optional.empty());
        GuardOptions nowhere = new GuardOptions(
                true,
                Optional.of("nowhere:x"),
                usual.config(),
                usual.probes(),
                usual.actuators(),
                "log",
                usual.answerWithin());
        GuardOptions disabled = new GuardOptions(
                false,
                Optional.empty(),
                usual.config(),
                usual.probes(),
                usual.actuators(),
                "log",
                usual.answerWithin());
        for (GuardOptions options : List.of(nowhere, disabled)) {
            try (TestServer server = TestServer.start(guardedBy(options))) {
                Answer answer = server.get("/api/guard/apps");
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.json().get("code").text()).isEqualTo("guard-off");
                assertThat(answer.header("Retry-After")).isNotEmpty();
                assertThat(server.get("/v2/locks").status()).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("a guard that cannot start leaves no file of its documents open")
    void closesWhatItOpened() throws IOException {
        Path certificates = Files.writeString(directory.resolve("ca.pem"), "no certificate");
        GuardOptions usual = in("sqlite:" + directory.resolve("guard.db"), Map.of());
        GuardOptions wrong = new GuardOptions(
                true,
                usual.store(),
                usual.config(),
                new GuardOptions.Probes(AddressPolicy.standard(), Optional.of(certificates), Optional.empty()),
                usual.actuators(),
                "log",
                usual.answerWithin());
        Path open = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(open), "open files of a process are seen on Linux only");
        try (TestServer server = TestServer.start(guardedBy(wrong))) {
            assertThat(server.get("/api/guard/apps").body()).contains("guard.probe.ca cannot be used");
            Await.until("none of its files is open", () -> opened(open).noneMatch(file -> file.startsWith(directory)));
        }
    }

    private static Stream<Path> opened(Path links) {
        try (Stream<Path> all = Files.list(links)) {
            return all.map(GuardTest::target).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            return link; // closed meanwhile
        }
    }

    @Test
    @DisplayName("who may only read looks, and stops nothing")
    void roles() {
        AuthConfig auth = new AuthConfig(
                false, Optional.empty(), List.of(TokenEntry.of("reader", TOKEN, Grants.in("guard", Role.READ))));
        try (TestServer server = TestServer.start(TestServer.with(auth))) {
            Client reader = Client.of(server).as(TOKEN);
            assertThat(reader.get("/api/guard/resources").status()).isEqualTo(200);
            assertThat(reader.get("/status/quick?app=x").status()).isEqualTo(404);
            assertThat(reader.post("/api/guard/apps/x/stop", "{}").status()).isEqualTo(403);
            assertThat(reader.post("/api/guard/apps/x/start", "{\"dry_run\":true}")
                            .status())
                    .isEqualTo(403);
            assertThat(server.get("/api/guard/resources").status()).isEqualTo(401);
        }
    }

    private static ServerOptions guardedBy(GuardOptions guard) {
        return new Setup().guard(guard).config();
    }
}
