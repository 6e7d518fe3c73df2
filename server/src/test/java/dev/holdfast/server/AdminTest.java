package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayName("looking into a server that runs")
class AdminTest {
    @TempDir
    Path directory;

    private final LoggedLines log = LoggedLines.of("dev.holdfast.server");

    @AfterEach
    void leave() {
        log.close();
    }

    private static TestServer.Answer put(TestServer server, String json) {
        return server.send(server.request("/admin/log-level")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json)));
    }

    private static TestServer.Answer acquire(TestServer server, String name) {
        return server.send(server.posting(
                        "/v2/locks/acquire", "{\"namespace\":\"n\",\"name\":\"" + name + "\",\"lease_ms\":60000}")
                .header("X-Request-Id", "asked-for-" + name));
    }

    /** Lines with this pair. */
    private List<ILoggingEvent> with(String key, String value) {
        return log.events().stream()
                .filter(line -> line.getKeyValuePairs() != null
                        && line.getKeyValuePairs().stream()
                                .anyMatch(pair -> pair.key.equals(key)
                                        && String.valueOf(pair.value).equals(value)))
                .toList();
    }

    @Test
    @DisplayName("the log level is changed at once, for a while, and back; the audit says by whom")
    void level() throws IOException {
        Path audit = directory.resolve("audit.log");
        String name = "dev.holdfast.tried";
        try (TestServer server = new Setup()
                .audit(AuditConfig.of(Optional.of(audit), false, false))
                .start()) {
            TestServer.Answer changed =
                    put(server, "{\"level\":\"debug\",\"logger\":\"" + name + "\",\"duration_ms\":60000}");
            assertThat(changed.status()).as(changed.body()).isEqualTo(200);
            assertThat(changed.json().get("items").list()).hasSize(1);
            assertThat(LoggerFactory.getLogger(name + ".Deep").isDebugEnabled()).isTrue();
            assertThat(server.get("/admin/log-level").body()).contains(name, "\"expires_at\":\"2");
            assertThat(put(server, "{\"level\":\"default\",\"logger\":\"" + name + "\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(LoggerFactory.getLogger(name + ".Deep").isDebugEnabled()).isFalse();
        }
        assertThat(Files.readString(audit))
                .contains("\"event\":\"config.changed\"", "\"resource\":\"logging.level\"", name, "anonymous");
    }

    @Test
    @DisplayName("a level that is none, a logger of the audit and debug lines of libraries are refused with the reason")
    void refused() {
        try (TestServer server = TestServer.onMemory()) {
            assertThat(put(server, "{\"level\":\"loud\"}").body()).contains("error, warn, info or debug");
            assertThat(put(server, "{\"level\":\"error\",\"logger\":\"holdfast.audit\"}")
                            .body())
                    .contains("audit");
            TestServer.Answer library = put(server, "{\"level\":\"debug\",\"logger\":\"org.postgresql\"}");
            assertThat(library.status()).isEqualTo(400);
            assertThat(library.body()).contains("secrets");
            assertThat(put(server, "{\"level\":\"info\",\"duration_ms\":1}").status())
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("threads, the store, slow operations and the most used locks are shown")
    void shown() {
        try (TestServer server = TestServer.onMemory()) {
            for (int i = 0; i < 5; i++) {
                acquire(server, "hot");
            }
            acquire(server, "cold");
            assertThat(server.get("/admin/threads").body()).contains("vert.x-eventloop", "    at ", "heap");
            Json store = server.get("/admin/store").json();
            assertThat(store.get("store").text()).isEqualTo("memory");
            assertThat(store.get("write_failure").value()).isNull();
            Json load = server.get("/admin/load").json();
            assertThat(load.get("hottest_locks").list().size()).isEqualTo(2);
            assertThat(load.get("slow_operations").list()).isEmpty();
            assertThat(server.get("/admin/log").status()).isEqualTo(200);
        }
    }

    private static ServerOptions.Watching impatient() {
        ServerOptions.Watching usual = TestServer.OPEN.observe().watching();
        return new ServerOptions.Watching(usual.health(), Duration.ofMillis(150), usual.logLevel(), usual.logFile());
    }

    @Test
    @DisplayName(
            "an operation that took long is logged and kept: which lock, what, which request, how long in the store and before")
    void slow() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (TestServer server = new Setup().watching(impatient()).start(store)) {
            acquire(server, "quick");
            store.slow(Duration.ofMillis(200));
            acquire(server, "slow");
            Await.until(
                    "it is told", () -> !with("request_id", "asked-for-slow").isEmpty());
            assertThat(with("operation", "acquire")).isNotEmpty().allMatch(line -> line.getLevel() == Level.WARN);
            assertThat(with("lock", "n:quick")).isEmpty();
            Json kept = server.get("/admin/load").json().get("slow_operations").list().stream()
                    .filter(one -> "slow".equals(one.get("name").value()))
                    .findFirst()
                    .orElseThrow();
            assertThat(kept.get("request_id").text()).isEqualTo("asked-for-slow");
            assertThat(kept.get("operation").text()).isEqualTo("acquire");
            long took = kept.get("took_ms").number();
            long inStore = kept.get("store_ms").number();
            assertThat(inStore).isBetween(150L, took);
            assertThat(kept.get("queue_ms").number()).isBetween(0L, took - inStore + 1);
        }
    }

    @Test
    @DisplayName("so are reads and writes of documents, of state and of the guard: which document, what, which request")
    void slowDocuments() {
        TroubledDocuments documents = TroubledDocuments.named("slow");
        GuardOptions open = TestServer.OPEN.guard();
        GuardOptions guard = new GuardOptions(
                true,
                Optional.of("troubled:slow"),
                open.config(),
                open.probes(),
                open.actuators(),
                open.usualActuator(),
                open.answerWithin());
        Setup setup = new Setup()
                .watching(impatient())
                .guard(guard)
                .state(new ServerOptions.State(
                        Optional.of("troubled:slow"), StateConfig.DEFAULT, LockHabits.DEFAULT, 10_000));
        try (TestServer server = setup.start()) {
            assertThat(get(server, "/api/guard/apps", "quick").status()).isEqualTo(200);
            assertThat(get(server, "/state/shop/prod", "quick").status()).isEqualTo(404);
            documents.slow = Duration.ofMillis(200);
            assertThat(get(server, "/api/guard/apps/shop", "guard").status()).isEqualTo(404);
            assertThat(get(server, "/state/shop/prod", "state").status()).isEqualTo(404);
            documents.unreachable = true;
            assertThat(get(server, "/state/shop/test", "away").status()).isEqualTo(503);
            documents.slow = Duration.ZERO;
            documents.unreachable = false;
            assertThat(with("request_id", "quick")).isEmpty();
            assertThat(with("document", "none")).isEmpty();
            Json kept = keptFor(server, "state");
            assertThat(kept.get("operation").text()).isEqualTo("document-read");
            assertThat(kept.get("document").text()).contains("shop", "prod");
            assertThat(kept.get("name").value()).isNull();
            assertThat(kept.get("actor").text()).isEqualTo("anonymous");
            assertThat(kept.get("failed").truth()).isFalse();
            assertThat(kept.get("store_ms").number()).isGreaterThanOrEqualTo(200);
            assertThat(keptFor(server, "guard").get("document").text()).contains("shop");
            assertThat(keptFor(server, "away").get("failed").truth()).isTrue();
            for (String request : List.of("state", "guard", "away")) {
                assertThat(with("request_id", request))
                        .anyMatch(line -> line.getFormattedMessage().startsWith("Slow operation"));
            }
        }
    }

    private static TestServer.Answer get(TestServer server, String path, String request) {
        return server.send(server.request(path).header("X-Request-Id", request).GET());
    }

    private static Json keptFor(TestServer server, String request) {
        return server.get("/admin/load").json().get("slow_operations").list().stream()
                .filter(one -> one.get("request_id").text().equals(request))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("whoever is turned away with 429 is named in the log, however many calls it tries")
    void turnedAway() {
        String secret = "hf_ci-0123456789abcdef";
        TokenEntry token = TokenEntry.of("ci", secret, Grants.everywhere(Role.READ));
        Setup setup = new Setup()
                .rate(new RateLimit.Config(1, 1, 10))
                .auth(new AuthConfig(false, Optional.empty(), List.of(token)));
        try (TestServer server = setup.start()) {
            Client ci = Client.of(server).as(secret);
            Await.until("it was turned away often", () -> {
                ci.get("/v2/locks");
                ci.get("/v2/history");
                return with("code", "too-many-requests").size() >= 10;
            });
            for (int i = 0; i < 20; i++) {
                ci.get(i % 2 == 0 ? "/v2/locks" : "/v2/history");
            }
        }
        List<ILoggingEvent> lines = with("code", "too-many-requests");
        assertThat(lines).hasSize(10).allMatch(line -> line.getLevel() == Level.WARN);
        assertThat(with("caller", "ci")).containsAll(lines);
    }

    @Test
    @DisplayName("every answer with 5xx is one line with its request id; of many only the first, and how many more")
    void failures() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        Route broken = Route.get("/broken", call -> {
            call.requireNoRole();
            return CompletableFuture.failedFuture(new IllegalStateException("a defect"));
        });
        TestServer server = new TestServer(HoldfastServer.start(
                new Setup().operationTimeout(Duration.ofMillis(50)).config(), store, List.of(broken)));
        try (server) {
            assertThat(acquire(server, "fine").status()).isEqualTo(200);
            store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.UNAVAILABLE);
            for (int i = 0; i < 15; i++) {
                assertThat(acquire(server, "lock-" + i).status()).isEqualTo(503);
            }
            assertThat(server.send(server.request("/broken")
                                    .header("X-Request-Id", "defect")
                                    .GET())
                            .status())
                    .isEqualTo(500);
        }
        assertThat(with("request_id", "asked-for-fine")).isEmpty();
        List<ILoggingEvent> one = with("request_id", "asked-for-lock-0");
        assertThat(one).hasSize(1);
        assertThat(one.get(0).getLevel()).isEqualTo(Level.WARN);
        assertThat(one.get(0).getFormattedMessage()).startsWith("POST /v2/locks/acquire failed: ");
        assertThat(with("code", "store-unavailable")).hasSize(10);
        assertThat(with("request_id", "defect")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getThrowableProxy()).isNotNull();
        });
        assertThat(log.events())
                .anyMatch(line -> line.getFormattedMessage()
                        .equals("Left out of the log within a minute: 5 more of answers 503 store-unavailable to POST"
                                + " /v2/locks/acquire"));
    }
}
