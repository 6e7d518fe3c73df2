package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
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
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        server = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=memory:", "--metrics.enabled=false"), Map.of(), Path.of(""))));
        front = new Front("http://127.0.0.1:" + server.port());
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
        Terms terms = new Terms(Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ZERO, Map.of(), "");
        Anchor now = Anchor.of(service.machine().time());
        for (int i = 0; i < all; i++) {
            String name = String.format("%s%04d", "\u6f22".repeat(508), i);
            Hold hold = new Hold(
                    service.newLeaseId(),
                    Scope.WHOLE,
                    "alice",
                    new Token(1 + i),
                    now.wall(),
                    now.wall(),
                    now.wall().plus(terms.lease()),
                    terms,
                    Hold.Phase.HELD,
                    Optional.empty(),
                    false);
            service.keep(new RecordKey("default", name), new LockService.Grant(hold, Optional.empty(), now), true);
        }
        Await.until("all were asked about", () -> service.keptLeases() == 0); // the server knows none of them
        assertThat(front.seen(RENEW))
                .allSatisfy(seen -> assertThat(seen.body().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(SERVER_TAKES));
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
}
