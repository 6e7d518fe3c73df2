package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.health.HealthBounds;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("/health/ready")
class ReadyPartsTest {
    @TempDir
    Path directory;

    private static Setup bounds(long minFree, Duration maxClockError) {
        ServerOptions.Watching usual = TestServer.OPEN.observe().watching();
        return new Setup()
                .watching(new ServerOptions.Watching(
                        new HealthBounds(minFree, maxClockError),
                        usual.slowAfter(),
                        usual.logLevel(),
                        usual.logFile()));
    }

    /** The status of each part, by name. */
    private static Map<String, String> parts(TestServer.Answer answer) {
        Map<String, String> found = new LinkedHashMap<>();
        answer.json()
                .get("parts")
                .list()
                .forEach(part ->
                        found.put(part.get("name").text(), part.get("status").text()));
        return found;
    }

    @Test
    @DisplayName("lists every part, each with how it stands and a sentence")
    void listed() {
        try (TestServer server = TestServer.onMemory()) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(parts(answer))
                    .containsExactly(
                            Map.entry("store", "UP"),
                            Map.entry("writes", "UP"),
                            Map.entry("disk", "OFF"),
                            Map.entry("clock", "UP"),
                            Map.entry("certificate", "OFF"),
                            Map.entry("state", "UP"),
                            Map.entry("guard", "UP"),
                            Map.entry("history", "UP"));
            assertThat(answer.json().get("parts").list())
                    .allSatisfy(part -> assertThat(part.get("detail").text()).isNotBlank());
            assertThat(answer.json().fields())
                    .contains("status", "node", "store", "store_latency_ms", "clock_error_ms");
        }
    }

    @Test
    @DisplayName(
            "notices that nothing can be written before anybody tries, and that it can again; no lock and no event is left")
    void idle() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.UNAVAILABLE);
        try (TestServer server = new Setup().start(store)) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().get("reason").text()).contains("accepts no writes");
            assertThat(parts(answer)).containsEntry("store", "UP").containsEntry("writes", "DOWN");
            store.heal();
            Await.until("it is ready again", () -> server.get("/health/ready").status() == 200);
            assertThat(server.get("/v2/history?limit=10").json().get("items").list())
                    .isEmpty();
            assertThat(server.get("/v2/locks").json().get("items").list()).isEmpty();
        }
    }

    @Test
    @DisplayName("does not write at every look, however often it is asked")
    void seldom() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (TestServer server = new Setup().start(store)) {
            server.get("/health/ready");
            int written = store.calls(FaultyStore.Call.WRITE);
            long end = System.nanoTime() + Duration.ofMillis(1_800).toNanos();
            while (System.nanoTime() < end) {
                server.get("/health/ready");
            }
            // The guard may have written once meanwhile; a write at every look would be more.
            assertThat(store.calls(FaultyStore.Call.WRITE)).isLessThanOrEqualTo(written + 1);
        }
    }

    @Test
    @DisplayName("tells a store that hangs at writes from one that does not answer")
    void hanging() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.HANG);
        try (TestServer server =
                new Setup().operationTimeout(Duration.ofMillis(300)).start(store)) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(parts(answer)).containsEntry("store", "UP").containsEntry("writes", "DOWN");
            store.heal();
            store.letGo();
        }
    }

    @Test
    @DisplayName("is 503 when the disk of the store has less free than it must, and lists it well when there is enough")
    void disk() {
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        try (TestServer server =
                bounds(Long.MAX_VALUE, Duration.ofSeconds(10)).store(store).start()) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().get("reason").text()).contains("nearly full", "server.health.min-free");
            assertThat(parts(answer)).containsEntry("disk", "DOWN").containsEntry("writes", "UP");
        }
        try (TestServer server = bounds(1, Duration.ofSeconds(10)).store(store).start()) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(parts(answer)).containsEntry("disk", "UP");
        }
    }

    @Test
    @DisplayName("is 503 once a full disk accepts no writes, whatever min-free says, and 200 when there is room again")
    void full() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                did("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()),
                "no small disk can be made here");
        try {
            String store = "sqlite:" + disk.resolve("locks.db") + "?mode=exclusive";
            try (TestServer server = bounds(0, Duration.ofSeconds(10))
                    .operationTimeout(Duration.ofMillis(300))
                    .store(store)
                    .start()) {
                assertThat(server.get("/health/ready").status()).isEqualTo(200);
                did("dd", "if=/dev/zero", "of=" + disk.resolve("fill"), "bs=4k"); // ends when there is no room
                Await.until("a write fails", () -> acquire(server) == 503);
                Await.until("it is not ready", () -> server.get("/health/ready").status() == 503);
                assertThat(server.get("/health/ready").json().get("reason").text())
                        .contains("accepts no writes", "No space left");
                Files.delete(disk.resolve("fill"));
                Await.until(
                        "it is ready again", () -> server.get("/health/ready").status() == 200);
                assertThat(acquire(server)).isEqualTo(200);
            }
        } finally {
            did("umount", disk.toString());
        }
    }

    private static boolean did(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static int acquire(TestServer server) {
        return server.post(
                        "/v2/locks/acquire",
                        "{\"namespace\":\"n\",\"name\":\"" + System.nanoTime() + "\",\"lease_ms\":60000}")
                .status();
    }

    @Test
    @DisplayName("is 503 when the time of the store is not known well enough")
    void clock() {
        try (TestServer server = bounds(0, Duration.ofSeconds(10)).start(new VagueClock(Duration.ofSeconds(11)))) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().get("reason").text()).contains("server.health.max-clock-error");
            assertThat(parts(answer)).containsEntry("clock", "DOWN").containsEntry("store", "UP");
        }
        try (TestServer server = bounds(0, Duration.ofSeconds(10)).start(new VagueClock(Duration.ofSeconds(9)))) {
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("is 503 with an expired certificate")
    void certificate() throws Exception {
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        QuickCertificates authority = QuickCertificates.authority("ca");
        authority
                .sign("CN=old", List.of(), Instant.now().minusSeconds(60))
                .pem()
                .writeTo(certificate, key);
        ServerOptions.Tls files = new ServerOptions.Tls(certificate, key, Duration.ofMillis(100), Optional.empty());
        try (TestServer server = new Setup().tls(files).start()) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(TlsServerTest.trusting()).build();
            URI url = URI.create("https://127.0.0.1:" + server.server.port() + "/health/ready");
            Await.until("it is not ready", () -> status(client, url) == 503);
            authority.sign("CN=new", List.of(), QuickCertificates.end()).pem().writeTo(certificate, key);
            Await.until("it is ready with a new one", () -> status(client, url) == 200);
        }
    }

    private static int status(HttpClient client, URI url) {
        try {
            return client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("stays 200 when only state does not work, and says so")
    void state() {
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        directory.resolve("locks-documents.db").toFile().mkdirs(); // where documents would be
        try (TestServer server = new Setup().store(store).start()) {
            TestServer.Answer answer = server.get("/health/ready");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(parts(answer)).containsEntry("state", "DOWN").containsEntry("writes", "UP");
        }
    }

    @Test
    @DisplayName("and the log: that writes failed, and after how long they work again, once each")
    void logged() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (LoggedLines log = LoggedLines.of("dev.holdfast.server.health");
                TestServer server =
                        new Setup().operationTimeout(Duration.ofMillis(300)).start(store)) {
            store.next(FaultyStore.Call.WRITE, 1_000_000, FaultyStore.Fault.UNAVAILABLE);
            server.get("/health/ready");
            Await.until("it is told", () -> log.lines().stream().anyMatch(line -> line.contains("does not work")));
            store.heal();
            Await.until("it works", () -> server.get("/health/ready").status() == 200);
            Await.until("it is told", () -> log.lines().stream().anyMatch(line -> line.contains("works again after")));
            assertThat(log.lines().stream().filter(line -> line.startsWith("Writing to the store")))
                    .hasSize(2);
        }
    }

    /** A store whose time is known only roughly. */
    private record VagueClock(RecordStore store, Duration error) implements RecordStore {
        VagueClock(Duration error) {
            this(MemoryStore.exclusive(), error);
        }

        @Override
        public CompletionStage<Optional<Versioned>> read(RecordKey key) {
            return store.read(key);
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> writes) {
            return store.write(writes);
        }

        @Override
        public CompletionStage<Page> scan(ScanRequest request) {
            return store.scan(request);
        }

        @Override
        public StoreClock clock() {
            StoreClock exact = store.clock();
            return new StoreClock() {
                @Override
                public Optional<Reading> now() {
                    return exact.now()
                            .map(now -> new Reading(now.earliest(), now.latest().plus(error), now.trustedSince()));
                }

                @Override
                public CompletionStage<Void> measure() {
                    return exact.measure();
                }
            };
        }

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
