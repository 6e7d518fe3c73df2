package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a client of a server that is closed while calls are under way")
@Timeout(120)
class ClosedServerClientTest {
    private static final String ACQUIRE = "/v2/locks/acquire";
    private static final Stack SHOP = new Stack("shop", "production");
    private static final Provenance ANNA = Provenance.of("anna", "deploy");
    private static final byte[] DOCUMENT = "{\"serial\": 1}".getBytes(StandardCharsets.UTF_8);

    private static HoldfastServer server;
    private static int count;

    private Front front;
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
        key = LockKey.of("default", "closed-" + count++);
    }

    @AfterEach
    void disconnect() {
        front.close();
    }

    private LockClient locks() {
        return ServerLocks.client(ServerConfig.of(front.url()), ClientConfig.DEFAULT);
    }

    private StateManager states() {
        return ServerStates.connect(ServerConfig.of(front.url()), ClientConfig.DEFAULT);
    }

    private interface Call {
        void make() throws Exception;
    }

    /** What the call ends with, if it does. */
    private static CompletableFuture<@Nullable Throwable> begun(Call call) {
        return Await.onThread(() -> catchThrowable(call::make));
    }

    private void arrived(String path) {
        Await.until("the request arrived", () -> !front.seen(path).isEmpty());
    }

    @Test
    @DisplayName("threads that extend leases hear of it, each of them")
    void extending() throws Exception {
        for (int i = 0; i < 12; i++) {
            LockClient locks = locks();
            Lease lease = locks.acquire(key, o -> o.lease(Duration.ofSeconds(10)));
            AtomicInteger extended = new AtomicInteger();
            CompletableFuture<@Nullable Throwable> extending = begun(() -> {
                while (lease.extend(Duration.ofSeconds(20))) {
                    extended.incrementAndGet();
                }
            });
            Await.until("it extends", () -> extended.get() > 5);
            locks.close();
            Await.get(extending);
            assertThat(lease.isValid()).isFalse();
            try (LockClient other = locks()) {
                assertThat(other.release(lease.key(), lease.leaseId()).join()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("who is about to listen hears that the client is closed, though the server stands still")
    void watching() {
        front.always("/v2/events", Front.Fault.HANG);
        LockClient locks = locks();
        CompletableFuture<@Nullable Throwable> watching = begun(() -> locks.watch(event -> {}));
        arrived("/v2/events");
        locks.close();
        assertThat(Await.get(watching)).isInstanceOf(ClientClosedException.class);
        assertThat(catchThrowable(() -> locks.watch(event -> {}))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    @DisplayName("a save that was sent may have been made, and is said to be in doubt")
    void saving() {
        StateManager states = states();
        front.next(ServerStates.path(SHOP), Front.Fault.SLOW);
        CompletableFuture<@Nullable Throwable> saving = begun(() -> states.saveUnlocked(SHOP, DOCUMENT, ANNA));
        arrived(ServerStates.path(SHOP));
        states.close();
        assertThat(Await.get(saving))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("closed")
                .hasMessageContaining("the save of the state of stack 'shop'");
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> states.saveUnlocked(SHOP, DOCUMENT, ANNA)); // never sent
    }

    @Test
    @DisplayName("a look that was sent changed nothing")
    void looking() {
        StateManager states = states();
        front.next(ServerStates.path(SHOP), Front.Fault.HANG);
        CompletableFuture<@Nullable Throwable> looking = begun(() -> states.load(SHOP));
        arrived(ServerStates.path(SHOP));
        states.close();
        assertThat(Await.get(looking)).isInstanceOf(ClientClosedException.class);
    }

    @Test
    @DisplayName("a lock that is granted meanwhile is given back before that is told")
    void grantedMeanwhile() {
        LockClient locks = locks();
        front.next(ACQUIRE, Front.Fault.SLOW);
        CompletableFuture<@Nullable Throwable> asking = begun(() -> locks.tryAcquire(key));
        arrived(ACQUIRE);
        locks.close();
        assertThat(Await.get(asking)).isInstanceOf(ClientClosedException.class);
        try (LockClient other = locks()) {
            assertThat(other.inspect().get(key).isFree()).isTrue();
        }
    }

    @Test
    @DisplayName("a lock whose grant nobody could hear of is not said to be free")
    void inDoubt() {
        LockClient locks = locks();
        front.next(ACQUIRE, Front.Fault.HANG);
        CompletableFuture<@Nullable Throwable> asking = begun(() -> locks.tryAcquire(key));
        arrived(ACQUIRE);
        locks.close();
        assertThat(Await.get(asking)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("a lock that an earlier request of the same wait may have been granted stays in doubt")
    void inDoubtSinceBefore() throws Exception {
        try (Front second = new Front(LocalServer.url(server))) {
            for (Front one : List.of(front, second)) {
                one.next(ACQUIRE, Front.Fault.LOSE_REQUEST);
                one.always(ACQUIRE, Front.Fault.TOO_MANY);
            }
            LockClient locks = ServerLocks.client(ServerConfig.of(front.url(), second.url()), ClientConfig.DEFAULT);
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofSeconds(10)))
                    .toCompletableFuture();
            Await.until(
                    "it asks anew, with the time that is left",
                    () -> Stream.of(front, second)
                                    .flatMap(one -> one.seen(ACQUIRE).stream().map(Front.SeenRequest::body))
                                    .distinct()
                                    .count()
                            == 2);
            locks.close();
            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(waiting));
        }
    }

    @Test
    @DisplayName("who waits for a lock gives up the place, and hears that the client is closed")
    void waiting() throws Exception {
        try (LockClient other = locks();
                Lease held = other.acquire(key, o -> o.lease(Duration.ofMinutes(5)))) {
            LockClient locks = locks();
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofMinutes(5)))
                    .toCompletableFuture();
            Await.until("it waits", () -> other.inspect().get(key).waiters().size() == 1);
            locks.close();
            assertThatExceptionOfType(ClientClosedException.class).isThrownBy(() -> Await.get(waiting));
            assertThat(other.inspect().get(key).waiters()).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("a wait whose acquisition came to hold just as its time was up is not said to have changed nothing")
    void heldAtTheEnd() throws Exception {
        LeaseId id = new LeaseId("asked-for-twice");
        try (LockClient other = ServerLocks.client(ServerConfig.of(LocalServer.url(server)), ClientConfig.DEFAULT)) {
            Lease held = other.acquire(key, o -> o.lease(Duration.ofMinutes(5)));
            LockClient locks = locks();
            front.next(ACQUIRE, Front.Fault.SLOW);
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(
                            key, o -> o.leaseId(id).waitUpTo(Duration.ofMillis(200)))
                    .toCompletableFuture();
            Await.until("it waits", () -> other.inspect().get(key).waiters().size() == 1);
            Thread.sleep(500); // now its time is up, and the answer is on its way
            held.close();
            try (Lease same = other.acquire(key, o -> o.leaseId(id))) {
                locks.close();
                assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(waiting));
                assertThat(same.isValid()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("who leaves before the request for a place has arrived has none afterwards, cancelled or not")
    void leavesBeforeItArrives(boolean cancels) throws Exception {
        try (LockClient other = ServerLocks.client(ServerConfig.of(LocalServer.url(server)), ClientConfig.DEFAULT);
                Lease held = other.acquire(key, o -> o.lease(Duration.ofMinutes(5)))) {
            LockClient locks = locks();
            front.next(ACQUIRE, Front.Fault.OVERTAKEN);
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofMinutes(5)))
                    .toCompletableFuture();
            arrived(ACQUIRE);
            if (cancels) {
                waiting.cancel(true);
            }
            locks.close();
            Await.until("it is told", waiting::isDone);
            assertThat(other.inspect().get(key).waiters()).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("what is under way ends with its connection, also where the JDK's client carries it")
    void cutOff() throws Exception {
        String whichever = "java.net.useSystemProxies";
        System.setProperty(whichever, "false"); // wherever one of these is set
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            LockClient locks = ServerLocks.client(
                    ServerConfig.of("http://127.0.0.1:" + silent.getLocalPort()), ClientConfig.DEFAULT);
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofMinutes(5)))
                    .toCompletableFuture();
            try (Socket parked = silent.accept()) {
                parked.setSoTimeout(10_000);
                assertThat(parked.getInputStream().read()).isPositive();
                locks.close();
                assertThat(ends(parked)).isTrue();
                assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(waiting));
            }
        } finally {
            System.clearProperty(whichever);
        }
    }

    private static boolean ends(Socket connection) {
        try {
            connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // by a reset
        }
    }
}
