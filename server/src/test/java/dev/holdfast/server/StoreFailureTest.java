package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Route;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

/** The line to the database breaks, or falls silent. An outage is never an answer about a lock. */
@DisplayName("a server that cannot reach its PostgreSQL")
class StoreFailureTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Patience, the store's own for each statement that gets no answer, and what a busy machine adds. */
    private static final Duration AT_MOST = Duration.ofSeconds(18);

    private static final Set<String> CODES = Set.of("store-unavailable", "outcome-unknown");
    /** Tell of each lease for itself. */
    private static final Set<String> BATCHES = Set.of("/v2/locks/renew", "/v2/locks/release", "/v2/locks/batch");

    private static final String HELD = "lock-held";
    private static final String LEASE = "lease-of-holder";

    private CuttableLine line;
    private String url = "";
    private TestServer server;
    private Client client;

    @BeforeEach
    void start() {
        PostgresServer database = Postgres.server();
        line = new CuttableLine(database.port());
        String direct = database.freshSchema();
        url = direct.replace(":" + database.port() + "/", ":" + line.port() + "/");
        // While it connects, the driver waits for a silent server for ever unless told otherwise.
        serve(url + "&loginTimeout=2");
    }

    private void serve(String store) {
        server = new Setup().store(store).operationTimeout(PATIENCE).start();
        client = Client.of(server);
        assertThat(client.acquire(HELD, LEASE, "").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        line.heal();
        server.close();
        line.close();
    }

    /** About the caller and the server itself: answered without the store, and above all while it does not answer. */
    private static final Set<String> WITHOUT_STORE = Set.of("/v2/whoami", "/v2/server", "/v2/settings");

    /** Where nobody is asked who they are, calls about tokens are answered without the store. */
    private Stream<Route> routes() {
        return server.server.routes().stream()
                .filter(route -> !route.path().startsWith("/v2/tokens")
                        && !route.path().startsWith("/admin/")
                        && !WITHOUT_STORE.contains(route.path()))
                .filter(route ->
                        route.access() == Route.Access.KNOWN && !route.path().equals(SampleCalls.EVENTS));
    }

    private static void assertOutage(Route route, Answer answer) {
        if (BATCHES.contains(route.path())) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(Client.outcome(answer)).as(answer.body()).isEqualTo("unknown");
            return;
        }
        assertThat(answer.status()).as(route.path() + " " + answer.body()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).as(route.path()).isNotEmpty();
        if (route.style() == ErrorStyle.COMPATIBLE) {
            assertThat(answer.json().fields()).containsExactlyInAnyOrder("message", "errorId");
        } else {
            assertThat(answer.json().get("code").text()).as(route.path()).isIn(CODES);
        }
    }

    /** One call of a route, and how long its answer took. */
    private record Asked(Route route, CompletableFuture<Answer> answer, CompletableFuture<Duration> took) {
        static Asked now(Client client, Route route, String name) {
            long start = System.nanoTime();
            CompletableFuture<Answer> answer =
                    client.sendLater(SampleCalls.of(client, route, Client.NAMESPACE + "nn", name));
            return new Asked(route, answer, answer.thenApply(done -> Duration.ofNanos(System.nanoTime() - start)));
        }
    }

    private void assertEverythingFails(List<String> names) {
        List<Asked> all = routes().flatMap(route -> names.stream().map(name -> Asked.now(client, route, name)))
                .toList();
        for (Asked asked : all) {
            assertOutage(asked.route(), Await.get(asked.answer()));
            assertThat(asked.took().join()).as(asked.route().path()).isLessThan(AT_MOST);
        }
        assertOwnLock();
        Answer ready = client.get("/health/ready");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.header("Retry-After")).isNotEmpty();
        assertThat(ready.json().get("reason").text()).isNotEmpty();
        assertThat(client.get("/health/live").status()).isEqualTo(200);
        assertThat(client.get("/metrics").status()).isEqualTo(200);
    }

    /** The lock whose last state this server wrote itself, and may remember. */
    private void assertOwnLock() {
        assertThat(client.acquire(HELD, "another-lease", "").status()).isEqualTo(503);
        assertThat(client.acquire(HELD, "another-lease", "\"wait_ms\":1000").status())
                .isEqualTo(503);
        assertThat(Client.outcome(client.renew(HELD, LEASE))).isEqualTo("unknown");
        assertThat(client.get("/v2/lock?namespace=n&name=" + HELD).status()).isEqualTo(503);
        assertThat(client.get("/v2/locks").status()).isEqualTo(503);
    }

    private void assertEverythingWorks() {
        Await.until(
                "the store is reached again", () -> client.get("/health/ready").status() == 200);
        Await.until(
                "the lease is renewed",
                () -> Client.outcome(client.renew(HELD, LEASE)).equals("renewed"));
        for (Route route : routes().toList()) {
            Answer first = client.send(SampleCalls.of(client, route, Client.NAMESPACE + "nn", "lock-free"));
            // A connection that broke with the line is found broken by its next use: nothing was done, and asking again
            // helps.
            Answer answer = first.status() == 503
                    ? client.send(SampleCalls.of(client, route, Client.NAMESPACE + "nn", "lock-free"))
                    : first;
            assertThat(answer.status()).as(route.path() + " " + answer.body()).isIn(200, 404, 409, 423);
        }
        assertThat(client.acquire(HELD, "another-lease", "").status()).isEqualTo(423);
        assertThat(Client.outcome(client.release(HELD, LEASE))).isEqualTo("released");
        assertThat(client.acquire(HELD, "another-lease", "").status()).isEqualTo(200);
    }

    @SideBySide
    @DisplayName("whose line is cut answers 503 to everything, soon, and nothing is lost when it heals")
    void cut() {
        line.cut();
        assertEverythingFails(List.of(HELD, "lock-free"));
        line.heal();
        assertEverythingWorks();
    }

    @SideBySide
    @DisplayName("whose line is silent answers 503 to everything, soon, and nothing is lost when it speaks again")
    void silent() {
        line.freeze();
        assertEverythingFails(List.of(HELD)); // each list waits for the one before it to be given up
        line.heal();
        assertEverythingWorks();
    }

    @SideBySide
    @DisplayName("whose line is silent answers also when the URL sets no limit for connecting")
    void silentWhileConnecting() {
        server.close();
        serve(url);
        line.freeze();
        assertEverythingFails(List.of(HELD)); // each list waits for the one before it to be given up
    }

    @SideBySide
    @DisplayName("keeps a long poll over a short cut, or tells it 503: never that the lock is held or free")
    void parked() throws Exception {
        CompletableFuture<Answer> waiter = client.acquireLater(HELD, "waiting-lease", "\"wait_ms\":30000");
        Await.until("it waits", () -> client.look(HELD).get("waiters").list().size() == 1);
        line.cut();
        Await.until("the outage is felt", () -> client.get("/health/ready").status() == 503);
        line.heal();
        Await.until(
                "the store is reached again",
                () -> Client.outcome(client.renew(HELD, LEASE)).equals("renewed"));
        assertThat(Client.outcome(client.release(HELD, LEASE))).isEqualTo("released");
        Answer answer = waiter.get(40, TimeUnit.SECONDS);
        System.out.println("after a short cut the parked request heard " + answer.status());
        assertThat(answer.status()).as(answer.body()).isIn(200, 503);
        if (answer.status() == 503) {
            assertThat(client.acquire(HELD, "waiting-lease", "\"wait_ms\":30000")
                            .status())
                    .isEqualTo(200);
        }
    }

    @SideBySide
    @DisplayName("goes on answering what needs no store at once, while 200 requests hang on it")
    void live() {
        line.freeze();
        List<CompletableFuture<Answer>> hanging = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            hanging.add(client.acquireLater("lock-" + i, "lease-hanging-" + i, ""));
        }
        long[] millis = LongStream.range(0, 21)
                .map(i -> {
                    long start = System.nanoTime();
                    assertThat(client.get("/health/live").status()).isEqualTo(200);
                    return Duration.ofNanos(System.nanoTime() - start).toMillis();
                })
                .sorted()
                .toArray();
        System.out.println("health/live while 200 hang: median " + millis[10] + " ms, longest " + millis[20] + " ms");
        assertThat(millis[10]).isLessThan(200);
        for (CompletableFuture<Answer> one : hanging) {
            assertThat(Await.get(one).status()).isEqualTo(503);
        }
    }
}
