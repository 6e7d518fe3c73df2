package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** The stream of events: nothing lost, nothing twice, nobody slow holds up the others. */
@DisplayName("events")
class EventsTest {
    @TempDir
    Path directory;

    private String store() {
        return "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
    }

    private static void cycle(TestServer server, String namespace, String name) {
        String lock = "\"namespace\":\"" + namespace + "\",\"name\":\"" + name + "\",\"lease_id\":\"lease-of-"
                + name.replace(":", "-") + "\"";
        assertThat(server.post("/v2/locks/acquire", "{" + lock + ",\"lease_ms\":60000}")
                        .status())
                .isEqualTo(200);
        assertThat(server.post("/v2/locks/release", "{\"leases\":[{" + lock + "}]}")
                        .status())
                .isEqualTo(200);
    }

    @SideBySide
    @DisplayName("what happens is told at once, with its number, as in the history")
    void live() throws IOException {
        try (TestServer server = TestServer.start(TestServer.on(store()));
                Stream stream = new Stream(server, "/v2/events", "")) {
            cycle(server, "n", "a");
            Await.until("both came", () -> stream.events.size() == 2);
            Event first = stream.events.get(0);
            assertThat(first.name()).isEqualTo("lock.acquired");
            assertThat(first.data().get("event_id").number()).isEqualTo(first.id());
            Json newest = server.get("/v2/history?limit=1").json().get("items").get(0);
            assertThat(stream.events.get(1).data()).isEqualTo(newest);
        }
    }

    @SideBySide
    @DisplayName("only what was asked for is told")
    void filtered() throws IOException {
        try (TestServer server = TestServer.start(TestServer.on(store()));
                Stream stream = new Stream(server, "/v2/events?namespace=n&prefix=app-", "")) {
            cycle(server, "other", "app-1");
            cycle(server, "n", "db-1");
            cycle(server, "n", "app-2");
            Await.until("they came", () -> stream.events.size() >= 2);
            assertThat(stream.events)
                    .allSatisfy(event ->
                            assertThat(event.data().get("lock_key").text()).isEqualTo("n:app-2"));
        }
    }

    @SideBySide
    @DisplayName("who comes back with the last number misses nothing and hears nothing twice, also after a restart")
    void replays() throws IOException {
        List<Long> heard = new ArrayList<>();
        long last;
        try (TestServer server = TestServer.start(TestServer.on(store()));
                Stream stream = new Stream(server, "/v2/events", "")) {
            for (int i = 0; i < 10; i++) {
                cycle(server, "n", "a" + i);
            }
            Await.until("all came", () -> stream.events.size() == 20);
            stream.events.forEach(event -> heard.add(event.id()));
            last = heard.get(11);
        }
        try (TestServer server = TestServer.start(TestServer.on(store()))) {
            for (int i = 0; i < 300; i++) {
                cycle(server, "n", "b" + i); // more than a page from the store
            }
            try (Stream stream = new Stream(server, "/v2/events", "Last-Event-ID: " + last + "\r\n")) {
                cycle(server, "n", "c");
                Await.until("all came", () -> stream.events.size() >= 8 + 600 + 2);
                List<Long> ids = stream.events.stream().map(Event::id).toList();
                assertThat(ids).isSorted().doesNotHaveDuplicates().hasSize(610);
                assertThat(ids.subList(0, 8)).isEqualTo(heard.subList(12, 20));
            }
            try (Stream stream = new Stream(server, "/v2/events?since=" + last, "")) {
                Await.until("as with the header", () -> stream.events.size() >= 610);
            }
        }
    }

    @SideBySide
    @DisplayName("a number that never was gets a reset, not silence")
    void unknownNumber() throws IOException {
        try (TestServer server = TestServer.start(TestServer.on(store()));
                Stream stream = new Stream(server, "/v2/events?since=999999", "")) {
            Await.until("reset", () -> !stream.events.isEmpty());
            assertThat(stream.events.get(0).name()).isEqualTo("reset");
        }
    }

    @SideBySide
    @DisplayName(
            "a number that the store has is not one of another history, though this server has not heard of it yet")
    void aheadOfTheServer() throws IOException {
        WatchedStore store = new WatchedStore(MemoryStore.exclusive());
        CompletableFuture<Void> slow = new CompletableFuture<>();
        try (TestServer server = TestServer.start(TestServer.on("memory:"), store);
                Stream first = new Stream(server, "/v2/events", "")) {
            store.holdBack(slow);
            cycle(server, "team", "unheard");
            assertThat(first.events).isEmpty();
            long newest = server.get("/v2/history?limit=1")
                    .json()
                    .get("items")
                    .list()
                    .get(0)
                    .get("event_id")
                    .number();
            try (Stream second = new Stream(server, "/v2/events?since=" + newest, "")) {
                slow.complete(null);
                cycle(server, "team", "after");
                Await.until("it is told", () -> second.events.size() >= 2);
                assertThat(second.events).extracting(Event::name).doesNotContain("reset");
                assertThat(second.events.get(0).id()).isEqualTo(newest + 1);
            }
        }
    }

    @SideBySide
    @DisplayName("a client that does not read is cut, and the others hear everything")
    void slow() throws IOException {
        ServerOptions open = TestServer.on(store());
        ServerOptions config = new Setup(open)
                .events(new EventsRoute.Bounds(10, 500, Duration.ofSeconds(1), 10))
                .config();
        try (TestServer server = TestServer.start(config);
                Stream reader = new Stream(server, "/v2/events", "");
                Socket slow = new Socket()) {
            slow.setReceiveBufferSize(1_024);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server.port()));
            slow.getOutputStream()
                    .write("GET /v2/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Await.until("both listen", () -> gauge(server) == 2);
            String heavy = "\"metadata\":{\"text\":\"" + "x".repeat(3_900) + "\"}";
            int sent = 0;
            while (gauge(server) == 2 && sent < 3_000) {
                String lock = "\"namespace\":\"n\",\"name\":\"s\",\"lease_id\":\"lease-of-slow-" + sent + "\"";
                server.post("/v2/locks/acquire", "{" + lock + ",\"lease_ms\":60000," + heavy + "}");
                server.post("/v2/locks/release", "{\"leases\":[{" + lock + "}]}");
                sent++;
            }
            int all = sent * 2;
            assertThat(gauge(server))
                    .as("the slow one is cut after %d events", all)
                    .isEqualTo(1);
            Await.until("the other heard all", () -> reader.events.size() == all);
        }
    }

    @SideBySide
    @DisplayName("who asks for the past and reads it slowly is behind, but not too slow")
    void replayIsNotSlowness() throws IOException {
        try (TestServer server =
                        TestServer.start(listening(new EventsRoute.Bounds(10, 10, Duration.ofSeconds(30), 10)));
                Socket patient = new Socket()) {
            String heavy = "\"metadata\":{\"text\":\"" + "x".repeat(3_900) + "\"}";
            int past = 2_000;
            for (int i = 0; i < past; i++) {
                String lock = "\"namespace\":\"n\",\"name\":\"p" + i + "\",\"lease_id\":\"lease-of-past-" + i + "\"";
                server.post("/v2/locks/acquire", "{" + lock + ",\"lease_ms\":600000," + heavy + "}");
            }
            patient.setReceiveBufferSize(1_024);
            patient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server.port()));
            patient.getOutputStream()
                    .write("GET /v2/events?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            Await.until("it listens", () -> gauge(server) == 1);
            for (int i = 0; i < 20; i++) {
                cycle(server, "n", "news-" + i); // each wakes it, and it has no room
            }
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(patient.getInputStream(), StandardCharsets.UTF_8));
            patient.setSoTimeout(20_000);
            List<Long> ids = new ArrayList<>();
            while (ids.size() < past + 40) {
                String line = lines.readLine();
                assertThat(line).isNotNull().isNotEqualTo("event: reset");
                if (line.startsWith("id: ")) {
                    ids.add(Long.parseLong(line.substring(4)));
                }
            }
            assertThat(ids).isSorted().doesNotHaveDuplicates();
        }
    }

    @SideBySide
    @DisplayName("a client that has gone before the first answer of the store leaves nothing behind")
    void goneBeforeItBegan() throws IOException {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (TestServer server =
                TestServer.start(listening(new EventsRoute.Bounds(1, 500, Duration.ofSeconds(1), 1)), store)) {
            store.next(FaultyStore.Call.EVENTS, 1, FaultyStore.Fault.HANG);
            try (Socket hasty = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
                hasty.getOutputStream()
                        .write("GET /v2/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                Await.until("the store is asked", () -> store.hanging() == 1);
                assertThat(gauge(server)).isEqualTo(1);
            }
            Await.until("nobody listens", () -> gauge(server) == 0);
            store.letGo();
            try (Stream next = new Stream(server, "/v2/events", "")) { // the only one there may be
                cycle(server, "n", "a");
                Await.until("both came", () -> next.events.size() == 2);
                assertThat(gauge(server)).isEqualTo(1);
            }
            Await.until("nobody listens", () -> gauge(server) == 0);
        }
    }

    private ServerOptions listening(EventsRoute.Bounds bounds) {
        ServerOptions open = TestServer.on(store());
        return new Setup(open).events(bounds).config();
    }

    private static long gauge(TestServer server) {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_events_clients "))
                .filter(line -> !line.startsWith("#"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @SideBySide
    @DisplayName("too many listeners are refused")
    void bounded() throws IOException {
        ServerOptions open = TestServer.OPEN;
        ServerOptions config = new Setup(open)
                .events(new EventsRoute.Bounds(1, 500, Duration.ofSeconds(1), 1))
                .config();
        try (TestServer server = TestServer.start(config);
                Stream stream = new Stream(server, "/v2/events", "")) {
            assertThat(server.get("/v2/events").status()).isEqualTo(429);
            assertThat(stream.events).isEmpty();
        }
    }

    @SideBySide
    @DisplayName(
            "the audit file, the history and the stream tell the same objects, the file with who asked from where (003.10)")
    void sameEverywhere() throws IOException {
        Path file = directory.resolve("audit.log");
        try (TestServer server = TestServer.start(
                        TestServer.auditedBy(AuditConfig.of(Optional.of(file), false, false), store()));
                Stream stream = new Stream(server, "/v2/events", "")) {
            cycle(server, "n", "a");
            cycle(server, "deploy", "stack:shop:env:prod");
            Await.until("all came", () -> stream.events.size() == 4);
            Await.until("all are written", () -> lines(file).size() == 4);
            List<Json> history = new ArrayList<>(
                    server.get("/v2/history").json().get("items").list());
            Collections.reverse(history);
            String who = ",\"principal\":\"anonymous\",\"remote_addr\":\"127.0.0.1\"";
            assertThat(lines(file))
                    .as("the audit also tells who asked, and from where")
                    .allMatch(it -> it.contains(who));
            assertThat(lines(file).stream().map(line -> Json.of(line.replace(who, ""))))
                    .containsExactlyElementsOf(history);
            assertThat(stream.events.stream().map(Event::data)).containsExactlyElementsOf(history);
            assertThat(history.get(0).get("request_id").text()).isNotEmpty();
            assertThat(Files.readString(file)).doesNotContain("lease-of-a");
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private record Event(long id, String name, Json data) {}

    /** A client of the stream. */
    private static final class Stream implements AutoCloseable {
        final List<Event> events = new CopyOnWriteArrayList<>();
        private final Socket socket;

        Stream(TestServer server, String path, String headers) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            Thread thread = new Thread(() -> read(in));
            thread.setDaemon(true);
            thread.start();
            Await.until("the stream is open", () -> open);
        }

        private volatile boolean open;

        private void read(InputStream in) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                Optional<Long> id = Optional.empty();
                String name = "";
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    open |= line.startsWith("retry:") || line.startsWith("event:");
                    if (line.startsWith("id: ")) {
                        id = Optional.of(Long.parseLong(line.substring(4)));
                    } else if (line.startsWith("event: ")) {
                        name = line.substring(7);
                    } else if (line.startsWith("data: ")) {
                        events.add(new Event(id.orElse(-1L), name, Json.of(line.substring(6))));
                    }
                }
            } catch (IOException e) {
                // closed by the test
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
