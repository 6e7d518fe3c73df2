package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.guard.Guard;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
@DisplayName("two servers, of which the first takes connections and says nothing")
@Timeout(60)
class SilentServerTest {
    private static final String ACQUIRE = "/v2/locks/acquire";
    private static final String APPS = "/api/guard/apps";
    private static final Stack SHOP = new Stack("shop", "production");
    private static final ClientConfig QUICK = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(2));
    private static final Duration LONG = Duration.ofMinutes(5);

    private static HoldfastServer server;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Front silent;
    private Front front;
    private ServerConfig both;
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
        silent = new Front(LocalServer.url(server));
        front = new Front(LocalServer.url(server));
        both = ServerConfig.of(silent.url(), front.url());
        key = LockKey.of("default", "silent-" + COUNT.incrementAndGet());
    }

    @AfterEach
    void disconnect() {
        silent.close();
        front.close();
    }

    private LockClient locks() {
        return ServerLocks.client(both, QUICK);
    }

    private interface Call {
        void make() throws Exception;
    }

    private static Duration lengthOf(Call call) throws Exception {
        long start = System.nanoTime();
        call.make();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    // ---- locks

    @Test
    @DisplayName("who waits for a free lock gets it from the second, well within the wait")
    void waits() throws Exception {
        silent.always(ACQUIRE, Front.Fault.HANG);
        try (LockClient locks = locks()) {
            Duration taken = lengthOf(() ->
                    locks.acquire(key, o -> o.waitUpTo(Duration.ofSeconds(8))).close());
            assertThat(taken).isLessThan(Duration.ofSeconds(8));
        }
    }

    @Test
    @DisplayName("who waits only for a moment is answered by the second too")
    void waitsForAMoment() throws Exception {
        silent.always(ACQUIRE, Front.Fault.HANG);
        for (int millis : List.of(1, 200, 900)) {
            try (LockClient locks = locks()) {
                locks.acquire(key, o -> o.waitUpTo(Duration.ofMillis(millis))).close();
            }
        }
    }

    @Test
    @DisplayName("who waits in vain hears that the lock is busy, and by whom it is held")
    void waitsInVain() throws Exception {
        silent.always(ACQUIRE, Front.Fault.HANG);
        try (LockClient other = ServerLocks.client(ServerConfig.of(front.url()), QUICK);
                Lease held = other.acquire(key, o -> o.lease(LONG));
                LockClient locks = locks()) {
            Attempt<Lease> attempt = locks.tryAcquire(key, o -> o.waitUpTo(Duration.ofSeconds(1)));
            assertThat(attempt).isInstanceOf(Attempt.Busy.class);
            assertThat(((Attempt.Busy<Lease>) attempt).holders()).hasSize(1);
            assertThat(held.isValid()).isTrue();
            assertThat(other.inspect().get(key).waiters()).isEmpty();
        }
    }

    @Test
    @DisplayName("a place in the queue is neither lost nor doubled when its server falls silent")
    void keepsItsPlace() throws Exception {
        silent.next(ACQUIRE, Front.Fault.LOSE_ANSWER); // stands in the queue, and its line breaks
        try (LockClient other = ServerLocks.client(ServerConfig.of(front.url()), QUICK);
                LockClient locks = locks()) {
            Lease held = other.acquire(key, o -> o.lease(LONG));
            CompletableFuture<Attempt<Lease>> first =
                    locks.acquireAsync(key, o -> o.waitUpTo(LONG).lease(LONG)).toCompletableFuture();
            Await.until("it waits", () -> other.inspect().get(key).waiters().size() == 1);
            silent.always(ACQUIRE, Front.Fault.HANG);
            CompletableFuture<Attempt<Lease>> second =
                    other.acquireAsync(key, o -> o.waitUpTo(LONG).lease(LONG)).toCompletableFuture();
            Await.until("both wait", () -> other.inspect().get(key).waiters().size() == 2);
            held.close();
            Lease granted = Await.get(first).orThrow();
            assertThat(second).isNotDone();
            granted.close();
            Await.get(second).orThrow().close();
        }
    }

    @Test
    @DisplayName("a grant that nobody heard of stays in doubt, though all later requests were turned away")
    void staysInDoubt() throws Exception {
        silent.next(ACQUIRE, Front.Fault.LOSE_ANSWER);
        silent.always(ACQUIRE, Front.Fault.TOO_MANY);
        front.always(ACQUIRE, Front.Fault.TOO_MANY);
        try (LockClient locks = locks()) {
            assertThat(catchThrowable(() -> locks.tryAcquire(key, o -> o.waitUpTo(Duration.ofSeconds(3)))))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(locks.inspect().get(key).isFree()).isFalse();
        }
    }

    @Test
    @DisplayName("listening begins at the second")
    void listens() throws Exception {
        silent.always("/v2/events", Front.Fault.HANG);
        try (LockClient locks = locks();
                LockClient.Subscription listening = locks.watch(event -> {})) {
            assertThat(listening.isOver()).isFalse();
            assertThat(front.seen("/v2/events")).hasSize(1);
        }
    }

    // ---- documents

    @Test
    @DisplayName("looks at the guard and at state are answered by the second, and not after minutes")
    void looks() throws Exception {
        silent.always(APPS, Front.Fault.HANG);
        silent.always(ServerStates.path(SHOP), Front.Fault.HANG);
        try (Guard guard = ServerGuard.connect(both, QUICK);
                StateManager states = ServerStates.connect(both, QUICK)) {
            assertThat(lengthOf(guard::apps)).isLessThan(Duration.ofSeconds(10));
            assertThat(lengthOf(() -> states.load(SHOP))).isLessThan(Duration.ofSeconds(10));
            assertThat(lengthOf(() -> states.current(SHOP))).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    @DisplayName("an answer that has begun may take longer than the operation timeout to arrive")
    void slowBody() throws Exception {
        HttpServer slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        slow.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                for (String part : List.of("{\"items\":", "[", "]", "}")) {
                    out.write(part.getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    TimeUnit.SECONDS.sleep(1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        slow.start();
        String url = "http://127.0.0.1:" + slow.getAddress().getPort();
        try (Guard guard = ServerGuard.connect(ServerConfig.of(url), QUICK)) {
            assertThat(guard.apps()).isEmpty();
        } finally {
            slow.stop(0);
        }
    }

    @Test
    @DisplayName("documents that take long to arrive do not keep each other from being asked for")
    void manySlowBodies() throws Exception {
        int many = 100;
        CountDownLatch begun = new CountDownLatch(many);
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), many);
        slow.setExecutor(threads);
        slow.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.getResponseHeaders().add("ETag", "\"v1\"");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write('{');
                out.flush();
                begun.countDown();
                begun.await();
                out.write('}');
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        slow.start();
        String url = "http://127.0.0.1:" + slow.getAddress().getPort();
        try (StateManager states = ServerStates.connect(ServerConfig.of(url), QUICK)) {
            List<CompletableFuture<Optional<LoadedState>>> loads = Stream.generate(
                            () -> Await.onThread(() -> states.version(SHOP, "v1")))
                    .limit(many)
                    .toList();
            loads.forEach(load -> assertThat(Await.get(load)).isPresent());
        } finally {
            slow.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("a call of the guard ends when its thread is interrupted")
    void interrupted() throws Exception {
        front.always(APPS, Front.Fault.HANG);
        ClientConfig patient = ClientConfig.DEFAULT.withOperationTimeout(LONG);
        try (Guard guard = ServerGuard.connect(ServerConfig.of(front.url()), patient)) {
            Thread[] asking = new Thread[1];
            CompletableFuture<Throwable> ended = Await.onThread(() -> {
                asking[0] = Thread.currentThread();
                return catchThrowable(guard::apps);
            });
            Await.until("it asks", () -> !front.seen(APPS).isEmpty());
            asking[0].interrupt();
            assertThat(Await.get(ended)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    @DisplayName("a save without a lease is not sent to the second: it may have been made")
    void savesOnce() throws Exception {
        silent.next(ServerStates.path(SHOP), Front.Fault.LOSE_ANSWER);
        try (StateManager states = ServerStates.connect(both, QUICK)) {
            byte[] document = "{\"serial\": 1}".getBytes(StandardCharsets.UTF_8);
            assertThat(catchThrowable(() -> states.saveUnlocked(SHOP, document, Provenance.of("anna", "deploy"))))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(front.seen(ServerStates.path(SHOP))).isEmpty();
        }
    }
}
