package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockClient;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks of a server, over a line that fails")
@Timeout(120)
class ServerLocksFaultsTest {
    private static final String ACQUIRE = "/v2/locks/acquire";
    private static final String RENEW = "/v2/locks/renew";
    private static final String RELEASE = "/v2/locks/release";
    private static final String LOOK = "/v2/lock";
    private static final Duration LONG = Duration.ofMinutes(5);

    private static HoldfastServer server;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Front front;
    private LockClient locks;
    private LockKey key;

    @BeforeAll
    static void startServer() {
        server = LocalServer.inMemory();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        front = new Front(LocalServer.url(server));
        locks = client(front.url());
        key = LockKey.of("default", "lock-" + COUNT.incrementAndGet());
    }

    @AfterEach
    void disconnect() {
        locks.close();
        front.close();
    }

    private static LockClient client(String... urls) {
        return ServerLocks.client(
                ServerConfig.of(urls),
                ClientConfig.DEFAULT.withOwner("alice").withOperationTimeout(Duration.ofSeconds(3)));
    }

    // ---- doubt

    @Test
    @DisplayName("a lost answer is asked for again by the same lease id, and nothing is granted twice")
    void answerLost() throws Exception {
        front.next(ACQUIRE, Front.Fault.LOSE_ANSWER);
        Lease lease = locks.acquire(key, o -> o.waitUpTo(Duration.ZERO).lease(LONG));
        assertThat(front.seen(ACQUIRE)).hasSize(2);
        assertThat(front.seen(ACQUIRE).get(0).body())
                .isEqualTo(front.seen(ACQUIRE).get(1).body());
        assertThat(locks.inspect().get(key).holders()).extracting(Holder::token).containsExactly(lease.token());
        assertThat(lease.release()).isTrue();
        assertThat(locks.inspect().get(key).isFree()).isTrue();
    }

    @Test
    @DisplayName("a lost request, a proxy without a server and a full one are bridged")
    void bridged() throws Exception {
        for (Front.Fault fault : List.of(Front.Fault.LOSE_REQUEST, Front.Fault.BAD_GATEWAY, Front.Fault.TOO_MANY)) {
            front.next(ACQUIRE, fault);
            try (Lease lease = locks.acquire(key, o -> o.waitUpTo(Duration.ZERO))) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("a server that does not know of unused locks is told that they are released")
    void unusedNotUnderstood() throws Exception {
        LockKey taken = LockKey.of("default", key.name() + "-taken");
        try (LockClient other = client(LocalServer.url(server));
                Lease lease = other.acquire(taken, o -> {})) {
            front.next(RELEASE, Front.Fault.NOT_UNDERSTOOD);
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> locks.acquireAll(List.of(key, taken), o -> o.waitUpTo(Duration.ZERO)));
            Await.until("it is released", () -> locks.inspect().get(key).isFree());
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(front.seen(RELEASE)).hasSize(2);
        assertThat(front.seen(RELEASE).get(0).body()).contains("unused");
        assertThat(front.seen(RELEASE).get(1).body()).doesNotContain("unused");
    }

    @Test
    @DisplayName("a release whose answer got lost was a release all the same")
    void releaseAnswerLost() throws Exception {
        Lease lease = locks.acquire(key, o -> o.lease(LONG));
        front.next(RELEASE, Front.Fault.LOSE_ANSWER);
        assertThat(lease.release()).isTrue();
        assertThat(locks.inspect().get(key).isFree()).isTrue();
    }

    @Test
    @DisplayName("a refusal says nothing about the try before it, whose answer got lost")
    void refusedAfterALostAnswer() throws Exception {
        Lease lease = locks.acquire(key, o -> o.lease(LONG));
        front.next(RELEASE, Front.Fault.LOSE_ANSWER);
        front.next(RELEASE, Front.Fault.UNAUTHORIZED);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(lease::release)
                .withMessageContaining("the answer to one try was lost")
                .withCauseInstanceOf(AccessRefusedException.class);
        assertThat(locks.inspect().get(key).isFree()).isTrue();
    }

    @Test
    @DisplayName("a force-unlock whose answer got lost is not said to have failed, nor to have worked")
    void forceAnswerLost() throws Exception {
        Lease lease = locks.acquire(key, o -> o.lease(LONG));
        front.next("/v2/locks/force-unlock", Front.Fault.LOSE_ANSWER);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> locks.inspect().forceUnlock(key, lease.token(), "test"));
    }

    @Test
    @DisplayName("if every answer is lost the outcome is unknown; if nothing ever arrived it is not")
    void unknownOrNot() throws Exception {
        for (int i = 0; i < 200; i++) {
            front.next(ACQUIRE, Front.Fault.LOSE_ANSWER);
        }
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> locks.tryAcquire(key, o -> {}))
                .withMessageContaining(key.name())
                .withMessageContaining(front.url());
        String url = front.url();
        front.close();
        try (LockClient alone = client(url)) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> alone.tryAcquire(key, o -> {}))
                    .withMessageContaining(url)
                    .withMessageContaining("connection refused")
                    .withMessageContaining("/health/ready");
        }
    }

    @Test
    @DisplayName("what a proxy says of itself is neither busy nor lost, whatever its number")
    void proxyIsNoAnswer() {
        for (Front.Fault fault : List.of(Front.Fault.LOCKED_BY_PROXY, Front.Fault.CONFLICT_BY_PROXY)) {
            front.next(ACQUIRE, fault);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> locks.tryAcquire(key, o -> {}))
                    .withMessageContaining(front.url());
        }
    }

    @Test
    @DisplayName("the page of a proxy is neither an empty listing nor an empty history, nor any other answer")
    void pageIsNoAnswer() throws Exception {
        try (Lease lease = locks.acquire(key, o -> o.lease(LONG))) {
            for (String path : List.of("/v2/locks", "/v2/history", LOOK, ACQUIRE, RELEASE)) {
                front.always(path, Front.Fault.PAGE_OF_PROXY);
            }
            Map<String, ThrowingCallable> questions = Map.of(
                    "list", () -> locks.inspect().list(ScanRequest.all()),
                    "history", () -> locks.inspect().history(EventLog.EventQuery.newest(5)),
                    "look", () -> locks.inspect().get(key),
                    "watch", () -> locks.watch(event -> {}),
                    "acquire", () -> locks.tryAcquire(key, o -> {}),
                    "release", () -> Await.get(locks.release(key, lease.leaseId())));
            questions.forEach((name, question) ->
                    assertThatThrownBy(question).as(name).isInstanceOf(StoreUnusableException.class));
            front.undisturbed(RELEASE);
        }
    }

    // ---- keeping

    @Test
    @DisplayName("all leases of a process are renewed with one request")
    void oneHeartbeat() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            leases.add(locks.acquire(LockKey.of("default", key.name() + "-" + i), o -> o.lease(Duration.ofSeconds(3))));
        }
        int most = 40;
        Await.until(
                "one request renewed them all",
                () -> front.seen(RENEW).stream().anyMatch(request -> leasesIn(request) == most));
        int before = front.seen(RENEW).size();
        Await.until("it is renewed again", () -> front.seen(RENEW).size() > before + 1);
        assertThat(front.seen(RENEW).subList(before, before + 2))
                .as("from then on all go together")
                .allSatisfy(request -> assertThat(leasesIn(request)).isEqualTo(most));
        assertThat(leases).allMatch(Lease::isValid);
        leases.forEach(Lease::close);
    }

    private static int leasesIn(Front.SeenRequest request) {
        return request.body().split("\"lease_id\"", -1).length - 1;
    }

    @Test
    @DisplayName("the lease counts from before the request was sent, not from its answer")
    void deadlineFromBeforeTheSend() throws Exception {
        front.next(ACQUIRE, Front.Fault.SLOW);
        Lease lease = locks.acquire(
                key,
                o -> o.waitUpTo(Duration.ZERO).lease(Duration.ofSeconds(30)).withoutRenewal());
        assertThat(lease.remaining()).isLessThan(Duration.ofMillis(29_100));
    }

    @Test
    @DisplayName("a lease granted after a long wait is as long as any other")
    void waitingCostsNothingOfTheLease() throws Exception {
        Lease first = locks.acquire(key, o -> o.lease(LONG));
        CompletableFuture<Lease> second = CompletableFuture.supplyAsync(() -> {
            try {
                return locks.acquire(
                        key, o -> o.waitUpTo(LONG).lease(Duration.ofSeconds(30)).withoutRenewal());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until("it waits", () -> locks.inspect().get(key).waiters().size() == 1);
        Thread.sleep(4_000); // this long it is parked
        first.close();
        Lease granted = Await.get(second);
        assertThat(granted.remaining()).isGreaterThan(Duration.ofMillis(26_500));
        granted.close();
    }

    @Test
    @DisplayName("a renewal by lease id says who holds, and asks for nothing after")
    void renewalTellsAll() throws Exception {
        front.always(LOOK, Front.Fault.BAD_GATEWAY);
        try (Lease lease = locks.acquire(key, o -> o.lease(LONG).reason("invoices"))) {
            Holder holder =
                    ((Attempt.Done<Holder>) Await.get(locks.renew(key, lease.leaseId(), LONG.multipliedBy(2)))).value();
            assertThat(holder.token()).isEqualTo(lease.token());
            assertThat(front.seen(LOOK)).isEmpty();
            front.undisturbed(LOOK);
            assertThat(locks.inspect().get(key).holders())
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields(
                            "renewedAt", "expiresAt") // by the heartbeat
                    .containsExactly(holder);
        }
    }

    @Test
    @DisplayName("a renewal that an older server made is told as made, also where the look after it fails")
    void renewalWithoutLook() throws Exception {
        front.seemsOlder();
        try (Lease lease = locks.acquire(key, o -> o.lease(LONG))) {
            assertThat(Await.get(locks.renew(key, lease.leaseId(), LONG))).isInstanceOf(Attempt.Done.class);
            front.always(LOOK, Front.Fault.BAD_GATEWAY);
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> Await.get(locks.renew(key, lease.leaseId(), LONG.multipliedBy(2))))
                    .withMessageContaining("was renewed")
                    .withMessageNotContaining("Nothing was changed");
        }
    }

    @Test
    @DisplayName("renewals whose answers are lost are sent again, and cost nothing")
    void renewalAnswerLost() throws Exception {
        Lease lease = locks.acquire(key, o -> o.lease(Duration.ofSeconds(6)));
        front.next(RENEW, Front.Fault.LOSE_ANSWER);
        front.next(RENEW, Front.Fault.BAD_GATEWAY);
        Await.until("it was renewed after all", () -> front.seen(RENEW).size() >= 4);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lostFor()).isEmpty();
        lease.close();
    }

    @Test
    @DisplayName("an unknown lease id is not held, whoever asks")
    void unknownLease() {
        assertThat(Await.get(locks.renew(key, new dev.holdfast.model.LeaseId("nobody-knows-it"))
                        .toCompletableFuture()))
                .isEqualTo(new Attempt.Lost<Holder>(key, LostReason.UNKNOWN));
        assertThat(locks.inspect().forceUnlock(key, new Token(1), "test")).isInstanceOf(Attempt.Busy.class);
    }

    // ---- waiting

    @Test
    @DisplayName("a parked request whose line breaks takes up the same place again")
    void placeSurvivesABrokenLine() throws Exception {
        Lease held = locks.acquire(key, o -> o.lease(LONG));
        front.next(ACQUIRE, Front.Fault.LOSE_ANSWER); // the first who waits: parked, then lost
        CompletableFuture<Attempt<Lease>> first =
                locks.acquireAsync(key, o -> o.waitUpTo(LONG).lease(LONG)).toCompletableFuture();
        Await.until("it waits", () -> locks.inspect().get(key).waiters().size() == 1);
        CompletableFuture<Attempt<Lease>> second =
                locks.acquireAsync(key, o -> o.waitUpTo(LONG).lease(LONG)).toCompletableFuture();
        Await.until("both wait", () -> locks.inspect().get(key).waiters().size() == 2);
        held.close();
        Lease granted = Await.get(first).orThrow();
        assertThat(second).isNotDone();
        granted.close();
        Await.get(second).orThrow().close();
    }

    @Test
    @DisplayName("a wait that ends while no server answers ends in a failure, not in busy")
    void waitEndsInAFailure() throws Exception {
        Lease held = locks.acquire(key, o -> o.lease(LONG));
        for (int i = 0; i < 50; i++) {
            front.next(ACQUIRE, Front.Fault.BAD_GATEWAY);
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> locks.tryAcquire(key, o -> o.waitUpTo(Duration.ofMillis(800))))
                .withMessageContaining("502");
        held.close();
    }

    @Test
    @DisplayName(
            "a wait shorter than the way to the server is busy, not a failure, and bridges a lost answer like any other")
    void shortestWait() throws Exception {
        try (Lease held = locks.acquire(key, o -> o.lease(LONG))) {
            front.next(ACQUIRE, Front.Fault.LOSE_ANSWER);
            assertThat(locks.tryAcquire(key, o -> o.waitUpTo(Duration.ofMillis(1))))
                    .isInstanceOf(Attempt.Busy.class);
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName(
            "a wait whose acquisition came to hold just as its time was up has the lock, and is not busy by itself")
    void handedOverAtTheEnd() throws Exception {
        LeaseId id = new LeaseId("asked-for-twice");
        Lease held = locks.acquire(key, o -> o.lease(LONG));
        front.next(ACQUIRE, Front.Fault.SLOW);
        CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(
                        key, o -> o.leaseId(id).waitUpTo(Duration.ofMillis(200)).lease(LONG))
                .toCompletableFuture();
        Await.until("it waits", () -> locks.inspect().get(key).waiters().size() == 1);
        Thread.sleep(500); // now its time is up, and the answer is on its way
        held.close();
        try (LockClient same = client(LocalServer.url(server))) {
            Lease first =
                    same.acquire(key, o -> o.leaseId(id).waitUpTo(Duration.ZERO).lease(LONG));
            Lease second = Await.get(waiting).orThrow();
            assertThat(second.token()).isEqualTo(first.token());
            second.close();
        }
    }

    // ---- several servers

    @Test
    @DisplayName("a wait in vain says who holds the lock")
    void waitInVain() throws Exception {
        try (LockClient other =
                        ServerLocks.client(ServerConfig.of(front.url()), ClientConfig.DEFAULT.withOwner("bob"));
                Lease held = other.acquire(key, o -> o.lease(LONG))) {
            Attempt<Lease> attempt = locks.tryAcquire(key, o -> o.waitUpTo(Duration.ofMillis(300)));
            assertThat(attempt).isInstanceOf(Attempt.Busy.class);
            Attempt.Busy<Lease> busy = (Attempt.Busy<Lease>) attempt;
            assertThat(busy.holders()).extracting(Holder::token).containsExactly(held.token());
            assertThat(busy.waiting()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a server that takes the connection and then stands still is no reason to listen for ever")
    void silentFromTheStart() {
        front.next("/v2/events", Front.Fault.HANG);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> locks.watch(event -> {}))
                .withMessageContaining("silent");
    }

    @Test
    @DisplayName("one of several servers that is gone is not waited for, and a later one finds the same leases")
    void failOver() throws Exception {
        Front other = new Front(LocalServer.url(server));
        try (LockClient several = client(front.url(), other.url())) {
            Lease lease = several.acquire(key, o -> o.lease(Duration.ofSeconds(9)));
            assertThat(front.seen(ACQUIRE)).hasSize(1);
            front.close();
            Await.until("the other renewed it", () -> !other.seen(RENEW).isEmpty());
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isTrue();
            try (Lease again = several.acquire(key, o -> o.waitUpTo(Duration.ZERO))) {
                assertThat(again.token()).isGreaterThan(lease.token());
            }
        } finally {
            other.close();
        }
    }
}
