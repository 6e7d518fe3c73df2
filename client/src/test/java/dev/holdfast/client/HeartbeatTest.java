package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("the renewals of a client of a server")
@Timeout(120)
class HeartbeatTest {
    private static final String RENEW = "/v2/locks/renew";
    private static final int SERVER_TAKES = 4 * 1024 * 1024;
    /** Nothing below may wait for this to pass. */
    private static final Duration AGES = Duration.ofMinutes(10);

    private HoldfastServer server;
    private Front front;
    private LockService service;
    private LockClient locks;

    @BeforeEach
    void connect() throws IOException {
        server = LocalServer.inMemory("--locks.max-lease=1h");
        front = new Front(LocalServer.url(server));
        ClientConfig config = ClientConfig.DEFAULT.withOperationTimeout(AGES);
        service = ServerLocks.connect(ServerConfig.of(front.url()), config);
        locks = service.client(config);
    }

    @AfterEach
    void disconnect() {
        front.close();
        locks.close();
        server.close();
    }

    @Test
    @DisplayName("two locks with one lease id are renewed each for itself: if one is lost, it is told so")
    void oneIdForTwo() throws Exception {
        LeaseId id = new LeaseId("one-for-both");
        Duration length = Duration.ofSeconds(9);
        Lease first =
                locks.acquire(LockKey.of("default", "first"), o -> o.leaseId(id).lease(length));
        Lease second = locks.acquire(
                LockKey.of("default", "second"), o -> o.leaseId(id).lease(length));
        locks.inspect().forceUnlock(first.key(), first.token(), "test");
        Await.until("it is told of its loss", () -> first.lostFor().isPresent());
        assertThat(first.lostFor()).contains(LostReason.FORCED);
        assertThat(second.lostFor()).isEmpty();
    }

    @Test
    @DisplayName("leases with the longest names are renewed with no more in a request than a server takes")
    void longNames() {
        int all = 3_000;
        Anchor now = Anchor.of(service.machine().time());
        for (int i = 0; i < all; i++) {
            String name = String.format("%s%04d", "\u6f22".repeat(508), i);
            Hold hold = hold(service, i, now);
            service.keep(new RecordKey("default", name), new LockService.Grant(hold, Optional.empty(), now), true);
        }
        Await.until("all were asked about", () -> service.keptLeases() == 0); // the server knows none of them
        assertThat(front.seen(RENEW))
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.body().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(SERVER_TAKES));
    }

    /** One that the server knows nothing of. */
    private static Hold hold(LockService of, int number, Anchor now) {
        Terms terms = new Terms(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ZERO, Map.of(), "");
        return new Hold(
                of.newLeaseId(),
                Scope.WHOLE,
                "alice",
                new Token(1 + number),
                now.wall(),
                now.wall(),
                now.wall().plus(terms.lease()),
                terms,
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    @Test
    @DisplayName("a lease is renewed though everything else this client asks for is stuck")
    void aheadOfTheCrowd() throws Exception {
        Lease lease = locks.acquire(LockKey.of("default", "kept"), o -> o.lease(Duration.ofSeconds(9)));
        for (int i = 0; i < 100; i++) {
            front.next("/v2/lock", Front.Fault.HANG);
        }
        for (int i = 0; i < 100; i++) {
            var unused = locks.inspect().getAsync(LockKey.of("default", "other-" + i));
        }
        Await.until("it is renewed", () -> !front.seen(RENEW).isEmpty());
        assertThat(lease.isValid()).isTrue(); // and nobody has forgotten it
    }

    // ---- some of them are refused

    /** A server that goes by what roles say, and its client. */
    private static final class Guarded implements AutoCloseable {
        private final Path file;
        private final HoldfastServer server;
        private final Front front;
        private final LockClient locks;

        Guarded(Path directory, String roles) throws Exception {
            this.file = directory.resolve("holdfast.yaml");
            grant(roles);
            Supplier<Settings> load = () -> Settings.load(
                    List.of("--port=0", "--store=memory:", "--metrics.enabled=false", "--config=" + file),
                    Map.of(),
                    Path.of(""));
            Settings settings = load.get();
            this.server = HoldfastServer.start(ServerSetup.of(settings));
            server.followSettings(settings, load);
            this.front = new Front(LocalServer.url(server));
            this.locks = ServerLocks.client(config(), ClientConfig.DEFAULT);
        }

        private ServerConfig config() {
            return ServerConfig.of(front.url()).withToken("hf_token-of-anna").withoutListening();
        }

        void grant(String roles) throws Exception {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest("hf_token-of-anna".getBytes(StandardCharsets.UTF_8));
            Files.writeString(
                    file,
                    "auth.tokens:\n  - {id: anna, sha256: '" + HexFormat.of().formatHex(hash) + "', roles: " + roles
                            + "}\n");
        }

        void regrant(String roles) throws Exception {
            grant(roles);
            server.reload();
        }

        @Override
        public void close() {
            locks.close();
            front.close();
            server.close();
        }
    }

    @Test
    @DisplayName("losing the role in one namespace costs the leases there, and no others")
    void refusedInOneNamespace(@TempDir Path directory) throws Exception {
        try (Guarded guarded = new Guarded(directory, "{a: [lock], b: [lock], c: [lock]}")) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 30; i++) { // due together, so that they are asked about together
                leases.add(guarded.locks.acquire(
                        LockKey.of(i == 17 ? "b" : i % 2 == 0 ? "a" : "c", "x" + i),
                        o -> o.lease(Duration.ofSeconds(4))));
            }
            Lease refused = leases.remove(17);
            guarded.regrant("{a: [lock], c: [lock]}");
            Await.until("the one is lost", () -> refused.lostFor().isPresent());
            Await.until(
                    "the others were renewed since",
                    () -> leases.stream().allMatch(lease -> lease.remaining().compareTo(Duration.ofSeconds(2)) > 0));
            assertThat(leases).allMatch(Lease::isValid);
        }
    }

    @Test
    @DisplayName("a length that the server does not allow is refused to who asked for it, and to nobody else")
    void refusedLength() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            leases.add(locks.acquire(LockKey.of("default", "x" + i), o -> o.lease(Duration.ofSeconds(60))));
        }
        List<CompletableFuture<Throwable>> told = new ArrayList<>();
        for (int round = 0; round < 5; round++) { // at once, so that they go in one request
            CountDownLatch together = new CountDownLatch(1);
            for (int i = 0; i < leases.size(); i++) {
                Lease lease = leases.get(i);
                Duration length = i == 3 ? Duration.ofHours(2) : Duration.ofSeconds(90);
                boolean allowed = i != 3;
                told.add(Await.onThread(() -> {
                    together.await();
                    Throwable failure = catchThrowable(() -> lease.extend(length));
                    return allowed == (failure == null) ? null : new AssertionError(lease + ": " + failure, failure);
                }));
            }
            together.countDown();
            for (CompletableFuture<Throwable> one : told) {
                assertThat(Await.get(one)).isNull();
            }
        }
    }

    @Test
    @DisplayName("a token that is refused for everything does not cost a request for each lease")
    void refusedForAll(@TempDir Path directory) throws Exception {
        try (Guarded guarded = new Guarded(directory, "{b: [lock]}");
                LockService refused = ServerLocks.connect(guarded.config(), ClientConfig.DEFAULT)) {
            Heartbeat heartbeat = new Heartbeat((ServerLocks) refused);
            Anchor now = Anchor.of(refused.machine().time());
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                KeptLease lease = refused.keep(
                        new RecordKey("a", "x" + i),
                        new LockService.Grant(hold(refused, i, now), Optional.empty(), now),
                        false);
                answers.add(heartbeat.renew(lease, Optional.empty(), now.nanos() + AGES.toNanos()));
            }
            for (CompletableFuture<?> answer : answers) {
                assertThat(catchThrowable(() -> Await.get(answer))).isInstanceOf(AccessRefusedException.class);
            }
            assertThat(guarded.front.seen(RENEW).size()).isBetween(2, 500);
        }
    }
}
