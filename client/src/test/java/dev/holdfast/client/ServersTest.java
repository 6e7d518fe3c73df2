package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.Certificates;
import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a client of real server processes")
@Timeout(180)
class ServersTest {
    private static final LockKey HELD = LockKey.of("default", "held");
    private static final LockKey WANTED = LockKey.of("default", "wanted");
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    /** In this process: what is tested is on the other side of the line. */
    private HoldfastServer started(String... flags) {
        List<String> all = new ArrayList<>(List.of("--port=0", "--metrics.enabled=false"));
        all.addAll(List.of(flags));
        return HoldfastServer.start(ServerSetup.of(Settings.load(all, Map.of(), directory)));
    }

    @Test
    @DisplayName("a holder that renews seldom hears of its end by force at once, and not only with its next renewal")
    void forced() throws Exception {
        try (HoldfastServer server = started("--store=memory:");
                LockClient holder = LockClient.connect(LocalServer.url(server));
                LockClient deaf = LockClient.connect(LocalServer.url(server) + "?listen=false");
                LockClient operator = LockClient.connect(LocalServer.url(server))) {
            Lease told = holder.acquire(HELD, o -> o.lease(Duration.ofHours(1)));
            Lease untold = deaf.acquire(WANTED, o -> o.lease(Duration.ofHours(1)));
            long before = System.nanoTime();
            operator.inspect().forceUnlock(WANTED, untold.token(), "test");
            operator.inspect().forceUnlock(HELD, told.token(), "test");
            Await.until("it is told", () -> !told.isValid());
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(told.lostFor()).contains(LostReason.FORCED);
            assertThat(untold.isValid())
                    .as("learns so with its next renewal, after 30 s")
                    .isTrue();
        }
    }

    @Test
    @DisplayName("a server killed in the middle costs neither a lease nor a place nor an event, if there is another")
    void killed() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        try (PostgresServer database = PostgresServer.builder().quick().start()) {
            List<String> flags = List.of("--port=0", "--store=" + database.freshSchema());
            try (ServerProcess first = ServerProgram.start(flags);
                    ServerProcess second = ServerProgram.start(flags);
                    LockClient both = LockClient.connect(first.url() + "," + second.url());
                    LockClient other = LockClient.connect(second.url())) {
                List<String> heard = new CopyOnWriteArrayList<>();
                List<Long> numbers = new CopyOnWriteArrayList<>();
                LockClient.Subscription events = both.watch(event -> {
                    numbers.add(event.number());
                    heard.add(event.event().type().label() + " "
                            + event.event().key().name());
                });
                Lease mine = both.acquire(HELD, o -> o.lease(Duration.ofSeconds(20)));
                Lease theirs = other.acquire(WANTED, o -> o.lease(LONG));
                CompletableFuture<Attempt<Lease>> waiting = both.acquireAsync(
                                WANTED, o -> o.waitUpTo(LONG).lease(LONG))
                        .toCompletableFuture();
                Await.until(
                        "it waits", () -> other.inspect().get(WANTED).waiters().size() == 1);
                first.kill();
                Await.until(
                        "the place is taken up at the other",
                        () -> !other.inspect().get(WANTED).waiters().isEmpty());
                assertThat(theirs.release()).isTrue();
                Lease got = Await.get(waiting).orThrow();
                assertThat(got.isValid()).isTrue();
                assertThat(mine.isValid()).isTrue();
                assertThat(mine.release()).isTrue();
                got.close();
                Await.until(
                        "all was heard",
                        () -> heard.contains("lock.released held")
                                && Collections.frequency(heard, "lock.released wanted") == 2);
                assertThat(heard).contains("lock.acquired held", "lock.queued wanted");
                assertThat(numbers).doesNotHaveDuplicates().isSorted();
                events.close();
            }
        }
    }

    @Test
    @DisplayName("a wait longer than the server parks a request is one wait, with one place")
    void longWait() throws Exception {
        try (HoldfastServer server = started("--store=memory:", "--server.limits.long-poll=1s");
                LockClient locks = LockClient.connect(LocalServer.url(server))) {
            Lease held = locks.acquire(HELD, o -> o.lease(LONG));
            CompletableFuture<Attempt<Lease>> waiting =
                    locks.acquireAsync(HELD, o -> o.waitUpTo(LONG).lease(LONG)).toCompletableFuture();
            Await.until("it waits", () -> locks.inspect().get(HELD).waiters().size() == 1);
            var since = locks.inspect().get(HELD).waiters().get(0).since();
            Thread.sleep(3_500); // several requests
            assertThat(locks.inspect().get(HELD).waiters())
                    .singleElement()
                    .satisfies(waiter -> assertThat(waiter.since()).isEqualTo(since));
            held.close();
            Await.get(waiting).orThrow().close();
        }
    }

    @Test
    @DisplayName("over TLS with the server's own certificate; without it nothing is sent")
    void tls() throws Exception {
        Path certificate = directory.resolve("server.pem");
        Certificates.ec(directory, "server").writeTo(certificate, directory.resolve("server.key"));
        try (HoldfastServer server = started(
                "--store=memory:",
                "--server.tls.certificate=" + certificate,
                "--server.tls.key=" + directory.resolve("server.key"))) {
            String url = LocalServer.url(server).replace("http:", "https:");
            try (LockClient locks = LockClient.connect(url + "?ca_file=" + certificate);
                    Lease lease = locks.acquire(HELD, o -> {})) {
                assertThat(lease.isValid()).isTrue();
            }
            try (LockClient locks = LockClient.connect(url)) {
                assertThatExceptionOfType(StoreUnusableException.class)
                        .isThrownBy(() -> locks.tryAcquire(HELD, o -> {}))
                        .withMessageContaining(url)
                        .withMessageContaining("certificate");
            }
        }
    }

    @Test
    @DisplayName(
            "shows a certificate of its own, also one that was renewed since, and is known by it; without one it is not let in")
    void clientCertificate() throws Exception {
        Path certificate = directory.resolve("server.pem");
        Certificates.ec(directory, "server").writeTo(certificate, directory.resolve("server.key"));
        Path own = directory.resolve("client.pem");
        Path key = directory.resolve("client.key");
        Certificates.ec(directory, "worker-1").writeTo(own, key);
        Certificates next = Certificates.rsa(directory, "worker-2");
        Path authorities = directory.resolve("clients.pem");
        Files.writeString(authorities, Files.readString(own) + next.certificate());
        Path config = directory.resolve("holdfast.yaml");
        Files.writeString(config, "auth.certificates: [{subject: 'CN=worker-*', roles: {'*': [lock]}}]\n");
        try (HoldfastServer server = started(
                "--store=memory:",
                "--config=" + config,
                "--server.tls.certificate=" + certificate,
                "--server.tls.key=" + directory.resolve("server.key"),
                "--server.tls.client-ca=" + authorities,
                "--server.tls.client-auth=optional")) {
            String url = LocalServer.url(server).replace("http:", "https:") + "?ca_file=" + certificate;
            String shown = url + "&client_cert=" + own + "&client_key=" + key;
            try (LockClient locks = LockClient.connect(shown);
                    Lease lease = locks.acquire(HELD, o -> {})) {
                assertThat(lease.isValid()).isTrue();
            }
            try (LockClient locks = LockClient.connect(url)) {
                assertThatExceptionOfType(AccessRefusedException.class)
                        .isThrownBy(() -> locks.tryAcquire(HELD, o -> {}));
            }
            IdentityKeys keys = new IdentityKeys(new ClientIdentity(own, key));
            next.writeTo(own, key);
            Files.setLastModifiedTime(own, FileTime.from(Instant.now().plusSeconds(5)));
            assertThat(keys.chooseEngineClientAlias(new String[] {"EC"}, null, null))
                    .isNull();
            assertThat(keys.chooseEngineClientAlias(new String[] {"EC", "RSA"}, null, null))
                    .isNotNull();
            try (LockClient locks = LockClient.connect(shown);
                    Lease lease = locks.acquire(HELD, o -> {})) {
                assertThat(lease.isValid()).isTrue();
            }
            Files.writeString(key, "not a key");
            assertThat(keys.getCertificateChain("client")[0].getSubjectX500Principal())
                    .hasToString("CN=worker-2");
        }
    }

    @Test
    @DisplayName("a certificate needs its key, and both must be readable; the key is never shown")
    void wrongCertificates() throws Exception {
        Path own = directory.resolve("client.pem");
        Path key = directory.resolve("client.key");
        Certificates.ec(directory, "worker").writeTo(own, key);
        String url = "https://127.0.0.1:1?client_cert=" + own;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect(url))
                .withMessageContaining("client_key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect(url + "&client_key=" + directory.resolve("none")))
                .withMessageContaining("none");
        for (String wrong :
                List.of("secret", "-----BEGIN RSA PRIVATE KEY-----\nsecret\n-----END RSA PRIVATE KEY-----\n")) {
            Files.writeString(key, wrong);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockClient.connect(url + "&client_key=" + key))
                    .withMessageContaining("openssl pkcs8")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
        }
    }

    @Test
    @DisplayName("who has no token, or a wrong one, hears so at once, and the token is never shown")
    void tokens() throws Exception {
        Path config = directory.resolve("holdfast.yaml");
        Files.writeString(
                config, "auth.tokens:\n  - {id: ci, sha256: '" + "0".repeat(64) + "', roles: {'*': [lock]}}\n");
        try (HoldfastServer server = started("--store=memory:", "--config=" + config)) {
            Path file = directory.resolve("token");
            Files.writeString(file, "hf_wrong-token\n");
            for (String url : List.of(LocalServer.url(server), LocalServer.url(server) + "?token_file=" + file)) {
                try (LockClient locks = LockClient.connect(url)) {
                    assertThatExceptionOfType(AccessRefusedException.class)
                            .isThrownBy(() -> locks.tryAcquire(HELD, o -> {}))
                            .withMessageContaining(LocalServer.url(server))
                            .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hf_wrong"));
                    assertThatExceptionOfType(AccessRefusedException.class).isThrownBy(() -> locks.watch(event -> {}));
                }
            }
        }
    }

    @Test
    @DisplayName("an address that is none is refused, with an example")
    void addresses() {
        for (String wrong : List.of(
                "http://", "http:///path", "http://a,ftp://b", "http://a b", "http://u:p@host", "http://h?nothing=1")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> LockClient.connect(wrong).close());
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect("http://h?token_file=/no/such/file"))
                .withMessageContaining("/no/such/file");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect("redis://h"))
                .withMessageContaining("https://locks.example.com?token_file=token");
        assertThat(ServerConfig.of("http://h").withToken("hf_secret").toString())
                .doesNotContain("secret");
        assertThat(ServerConnector.config("https://a:1/, https://b/x/").servers())
                .extracting(Object::toString)
                .containsExactly("https://a:1", "https://b/x");
    }

    @Test
    @DisplayName("what answers but is no lock server is said to be none")
    void noLockServer() throws Exception {
        com.sun.net.httpserver.HttpServer web = com.sun.net.httpserver.HttpServer.create(
                new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 10);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        web.start();
        try (LockClient locks = ServerLocks.client(
                ServerConfig.of("http://127.0.0.1:" + web.getAddress().getPort()),
                ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(3)))) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> locks.tryAcquire(HELD, o -> {}))
                    .withMessageContaining("404")
                    .withMessageContaining("Holdfast");
        } finally {
            web.stop(0);
        }
    }
}
