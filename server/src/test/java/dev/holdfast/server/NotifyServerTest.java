package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.notify.NoticeKind;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.server.notify.WebhookServer;
import dev.holdfast.server.notify.WebhookServer.Delivery;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayName("a server with webhooks")
class NotifyServerTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final NotifyOptions.Pace QUICK = new NotifyOptions.Pace(
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(10),
            Duration.ofMillis(40),
            Duration.ofMillis(50),
            LEASE);

    @TempDir
    Path directory;

    private static ServerOptions options(String store, Webhook webhook) {
        return new Setup(TestServer.on(store))
                .notifications(new NotifyOptions(
                        List.of(webhook), Duration.ofHours(1), Duration.ofSeconds(20), Duration.ofHours(1), QUICK))
                .config();
    }

    /** One that will tell everything that happens from now on. */
    private static TestServer start(String store, Webhook webhook) {
        TestServer server = TestServer.start(options(store, webhook));
        awaitPosition(store);
        return server;
    }

    private static void awaitPosition(String store) {
        try (DocumentStore documents = DocumentStores.open(store)) {
            Await.until(
                    "there is a position", () -> documents.look("notify/ops").isPresent());
        }
    }

    private static void force(Client client, String name) {
        long token = client.acquire(name, "lease-of-" + name, "")
                .json()
                .get("fencing_token")
                .number();
        assertThat(client.post(
                                "/v2/locks/force-unlock",
                                "{" + Client.key(name) + ",\"fencing_token\":" + token + ",\"reason\":\"stuck\"}")
                        .status())
                .isEqualTo(200);
    }

    private static List<String> names(WebhookServer receiver) {
        return receiver.taken().stream().map(delivery -> delivery.text("name")).toList();
    }

    @Test
    @DisplayName("tells what was not told before a restart, and nothing twice")
    void restart() {
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        try (WebhookServer receiver = new WebhookServer()) {
            try (TestServer first = start(store, receiver.hook("ops"))) {
                force(Client.of(first), "one");
                receiver.awaitTaken(1);
                assertThat(first.get("/metrics").body()).contains("holdfast_notify_sender 1.0");
                receiver.answering(503);
                force(Client.of(first), "two");
            }
            receiver.answering(200);
            try (TestServer next = TestServer.start(options(store, receiver.hook("ops")))) {
                receiver.awaitTaken(2);
                force(Client.of(next), "three");
                receiver.awaitTaken(3);
            }
            assertThat(names(receiver)).containsExactly("one", "two", "three");
        }
    }

    @Test
    @DisplayName(
            "that is killed after it sent something and before it noted that: the next one sends it again, and the rest once")
    void killed() throws InterruptedException {
        String store = "sqlite:" + directory.resolve("locks.db");
        try (WebhookServer receiver = new WebhookServer();
                ServerProcess dying = ServerProcess.start(
                        JavaProgram.of(NotifyServerTest.class).heap("128m"),
                        store,
                        receiver.url().toString())) {
            awaitPosition(store);
            CountDownLatch forced = new CountDownLatch(1);
            receiver.answering(delivery -> {
                try {
                    forced.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                dying.kill(); // it never hears that this was taken
                return 200;
            });
            force(Client.at(dying.port()), "one");
            forced.countDown();
            receiver.awaitTaken(1);
            receiver.answering(200);
            try (TestServer next = TestServer.start(options(store, receiver.hook("ops")))) {
                force(Client.of(next), "two");
                receiver.awaitTaken(3);
            }
            assertThat(names(receiver)).containsExactly("one", "one", "two");
            assertThat(receiver.taken().stream().limit(2).map(Delivery::id).distinct())
                    .hasSize(1);
        }
    }

    /** The server that is killed. */
    public static void main(String[] args) throws IOException {
        Webhook ops = new Webhook(
                "ops",
                URI.create(args[1]),
                Optional.of(WebhookServer.SECRET),
                Set.of(NoticeKind.values()),
                List.of(),
                List.of(),
                Webhook.Format.JSON);
        try (TestServer server = TestServer.start(options(args[0], ops))) {
            ServerProcess.serve(server.server.port());
        }
    }

    @Test
    @DisplayName("and another beside it on PostgreSQL tell everything once")
    void replicas() {
        String store = Postgres.server().freshSchema();
        try (WebhookServer receiver = new WebhookServer();
                TestServer one = start(store, receiver.hook("ops"));
                TestServer two = start(store, receiver.hook("ops"))) {
            for (int i = 0; i < 10; i++) {
                force(Client.of(i % 2 == 0 ? one : two), "lock-" + i);
            }
            receiver.awaitTaken(10);
            assertThat(receiver.taken())
                    .extracting(delivery -> delivery.text("name"))
                    .containsExactly(
                            "lock-0", "lock-1", "lock-2", "lock-3", "lock-4", "lock-5", "lock-6", "lock-7", "lock-8",
                            "lock-9");
            one.close();
            force(Client.of(two), "last");
            receiver.awaitTaken(11);
            assertThat(receiver.all()).extracting(Delivery::id).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("is ready whatever its receivers do, and puts neither their addresses nor their secrets into the log")
    void discreet() {
        Log log = new Log();
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        WebhookServer gone = new WebhookServer();
        Webhook unreachable = gone.hook("ops");
        gone.close();
        try (TestServer server = start(store, unreachable)) {
            force(Client.of(server), "one");
            Await.until(
                    "it is said",
                    () -> log.lines.stream().anyMatch(line -> line.contains("did not accept lock.forced")));
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
            assertThat(server.get("/metrics").body()).contains("outcome=\"retried\",webhook=\"ops\"");
        } finally {
            log.close();
        }
        assertThat(log.lines)
                .anyMatch(line -> line.contains("webhook 'ops' did not accept lock.forced of n:one"))
                .noneMatch(line -> line.contains(WebhookServer.SECRET) || line.contains("T0KEN"));
    }

    /** Everything that is logged, however little it matters. */
    private static final class Log extends AppenderBase<ILoggingEvent> {
        private final Logger root = (Logger) LoggerFactory.getLogger("dev.holdfast");
        private final Level before = root.getLevel();
        final List<String> lines = new CopyOnWriteArrayList<>();

        Log() {
            root.setLevel(Level.DEBUG);
            start();
            root.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : event.getThrowableProxy().getMessage()));
        }

        void close() {
            root.detachAppender(this);
            root.setLevel(before);
        }
    }

    @Test
    @DisplayName("does not put into a backup how far they were told: that changes all the time, and is of no use later")
    void backup() throws Exception {
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        try (WebhookServer receiver = new WebhookServer();
                TestServer server = start(store, receiver.hook("ops"))) {
            byte[] file = HttpClient.newHttpClient()
                    .send(server.request("/admin/backup").GET().build(), HttpResponse.BodyHandlers.ofByteArray())
                    .body();
            try (GZIPInputStream lines = new GZIPInputStream(new ByteArrayInputStream(file))) {
                assertThat(new String(lines.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("\"documents\":0,")
                        .doesNotContain("notify/ops");
            }
        }
    }

    // ---- trying it out

    private static TestServer.Answer test(TestServer server, String json) {
        return server.send(server.posting("/admin/notify/test", json));
    }

    @Test
    @DisplayName(
            "sends each of them a test on request, signed like everything, and says what came back, but not the address")
    void tried() throws Exception {
        WebhookServer gone = new WebhookServer();
        Webhook unreachable = gone.hook("gone");
        gone.close();
        try (WebhookServer receiver = new WebhookServer();
                TestServer server = new Setup()
                        .notifications(new NotifyOptions(
                                List.of(receiver.hook("ops"), unreachable),
                                Duration.ofHours(1),
                                Duration.ofSeconds(20),
                                Duration.ofHours(1),
                                QUICK))
                        .start()) {
            TestServer.Answer both = test(server, "{}");
            assertThat(both.status()).as(both.body()).isEqualTo(200);
            assertThat(both.json().get("items").list())
                    .extracting(one ->
                            one.get("webhook").text() + " " + one.get("outcome").text())
                    .containsExactly("ops taken", "gone failed");
            assertThat(both.body()).contains("HTTP 200", "ConnectException").doesNotContain("T0KEN", "words of");
            Delivery came = receiver.taken().get(0);
            assertThat(came.event()).isEqualTo("webhook.test");
            assertThat(came.text("event")).isEqualTo("webhook.test");
            assertThat(came.text("actor")).isEqualTo("anonymous");
            assertThat(came.text("delivery_id")).isEqualTo(came.id());
            assertThat(came.signature()).matches("t=[0-9]+,v1=[0-9a-f]{64}");

            receiver.answering(404);
            assertThat(test(server, "{\"webhook\":\"ops\"}").body()).contains("\"refused\"", "HTTP 404");
            TestServer.Answer unknown = test(server, "{\"webhook\":\"opps\"}");
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.body()).contains("'opps'", "ops, gone");
            assertThat(test(server, "{\"webhok\":\"ops\"}").status()).isEqualTo(400);
        }
    }

    @Test
    @DisplayName("tells those that are in its file by now, without a restart, and each goes on where it was")
    void changed() throws Exception {
        Path file = directory.resolve("holdfast.yaml");
        String store = "sqlite:" + directory.resolve("locks.db") + "?mode=exclusive";
        Supplier<Settings> load = () -> Settings.load(List.of("--store=" + store), Map.of(), directory);
        try (WebhookServer receiver = new WebhookServer();
                WebhookServer other = new WebhookServer()) {
            Files.writeString(file, entry("ops", receiver));
            Settings settings = load.get();
            ServerOptions options = new Setup(TestServer.on(store))
                    .notifications(NotifySetup.of(settings, Map.of()).at(QUICK))
                    .config();
            try (TestServer server = TestServer.start(options)) {
                server.server.followSettings(settings, load);
                awaitPosition(store);
                receiver.answering(503);
                force(Client.of(server), "one");
                receiver.awaitAttempts(1);

                Files.writeString(file, entry("ops", other)); // moved
                server.server.reload();

                other.awaitTaken(1);
                force(Client.of(server), "two");
                other.awaitTaken(2);
                assertThat(names(other)).containsExactly("one", "two");
                Files.writeString(file, "notify.webhooks: []\n");
                server.server.reload();
                Await.until(
                        "nobody is told",
                        () -> test(server, "{}").json().get("items").list().isEmpty());
            }
        }
    }

    private static String entry(String id, WebhookServer at) {
        return "notify.webhooks:\n  - {id: " + id + ", url: '" + at.url() + "', secret: " + WebhookServer.SECRET
                + "}\n";
    }

    // ---- settings

    private static NotifyOptions of(String webhooks, Map<String, String> environment) {
        return NotifySetup.of(
                Settings.load(
                        List.of("--store=memory:", "--notify.webhooks=" + webhooks), Map.of(), Path.of("nowhere")),
                environment);
    }

    @Test
    @DisplayName("finds addresses and secrets in the environment and in files")
    void elsewhere() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789-from-file\n");
        NotifyOptions options = of(
                "[{id: ops, url: 'env:OPS_URL', secret: 'file:" + file + "', events: [lock.lost]}]",
                Map.of("OPS_URL", "https://ops.example.com/x"));
        Webhook ops = options.webhooks().get(0);
        assertThat(ops.url()).isEqualTo(URI.create("https://ops.example.com/x"));
        assertThat(ops.secret()).contains("0123456789-from-file");
        assertThat(ops.kinds()).extracting(kind -> kind.label()).containsExactly("lock.lost");
        assertThat(options.giveUpAfter()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    @DisplayName("does not start without them, and says which is missing, but nothing of what stands there")
    void missing() throws IOException {
        Path wrong = Files.writeString(directory.resolve("wrong"), "not a secret");
        Map<String, String> environment = Map.of("A", "ftp://secret-host/");
        assertThatThrownBy(() -> of("[{id: ops, url: 'env:NO_SUCH', format: slack}]", environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ops'")
                .hasMessageContaining("NO_SUCH");
        assertThatThrownBy(() -> of("[{id: ops, url: 'env:A', format: slack}]", environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret-host");
        assertThatThrownBy(() -> of("[{id: ops, url: 'http://a', secret: 'file:" + wrong + "'}]", environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("not a secret");
        assertThatThrownBy(() -> of("[{id: ops, url: 'http://a', secret: 'file:/no/such/file'}]", environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/no/such/file");
    }
}
