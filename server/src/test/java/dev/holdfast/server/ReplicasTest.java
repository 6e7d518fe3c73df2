package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/** Several servers over one database. None of them knows the others; whoever asks any of them gets the same answers. */
@DisplayName("three replicas over one PostgreSQL")
class ReplicasTest {
    private static final List<TestServer> REPLICAS = new ArrayList<>();
    private static String store = "";
    private static Client a;
    private static Client b;
    private static Client c;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "lock-" + NAMES.incrementAndGet() + "-"; // so that none begins like another

    @BeforeAll
    static void start() {
        store = Postgres.server().freshSchema();
        for (int i = 0; i < 3; i++) {
            REPLICAS.add(new Setup().store(store).start());
        }
        a = Client.of(REPLICAS.get(0));
        b = Client.of(REPLICAS.get(1));
        c = Client.of(REPLICAS.get(2));
    }

    @AfterAll
    static void stop() {
        REPLICAS.forEach(TestServer::close);
        REPLICAS.clear();
    }

    private static String waiting(int millis, String owner) {
        return "\"wait_ms\":" + millis + ",\"owner\":\"" + owner + "\"";
    }

    private static long token(Answer granted) {
        return granted.json().get("fencing_token").number();
    }

    private void awaitQueue(int length) {
        Await.until(length + " wait", () -> a.look(name).get("waiters").list().size() == length);
    }

    // ---- no replica answers from what it remembers

    @SideBySide
    @DisplayName("acquire on one, renew on the next, release on the third, in every order: never falsely busy or lost")
    void tightLoop() {
        List<List<Client>> orders = List.of(
                List.of(a, b, c),
                List.of(a, c, b),
                List.of(b, a, c),
                List.of(b, c, a),
                List.of(c, a, b),
                List.of(c, b, a));
        long last = 0;
        for (int round = 0; round < 504; round++) {
            List<Client> order = orders.get(round % orders.size());
            String lease = "round-" + name + "-" + round;
            Answer granted = order.get(0).acquire(name, lease, "");
            assertThat(granted.status())
                    .as("round %d: %s", round, granted.body())
                    .isEqualTo(200);
            assertThat(token(granted)).isGreaterThan(last);
            last = token(granted);
            if (round % 3 == 0) {
                Answer renewed = order.get(2).renew(name, lease);
                assertThat(Client.outcome(renewed)).as(renewed.body()).isEqualTo("renewed");
            }
            if (round % 5 == 0) {
                Answer busy = order.get(1).acquire(name, "another-" + round, "");
                assertThat(busy.status()).as("round %d", round).isEqualTo(423);
            }
            Answer released = order.get(1).release(name, lease);
            assertThat(Client.outcome(released)).as(released.body()).isEqualTo("released");
        }
    }

    @SideBySide
    @DisplayName("many at once, each through all replicas: never two holders, tokens strictly grow")
    void crowd() throws Exception {
        List<Long> tokens = new ArrayList<>(); // written only by who holds the lock
        List<Thread> crowd = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int who = i;
            crowd.add(new Thread(() -> {
                try {
                    takeTurns(who, tokens);
                } catch (Throwable e) { // told below
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        crowd.forEach(Thread::start);
        for (Thread one : crowd) {
            one.join(TimeUnit.MINUTES.toMillis(2));
        }
        assertThat(failures).isEmpty();
        assertThat(tokens).hasSize(60).isSorted().doesNotHaveDuplicates();
    }

    private void takeTurns(int who, List<Long> tokens) {
        List<Client> all = List.of(a, b, c);
        for (int turn = 0; turn < 10; turn++) {
            String lease = name + "-" + who + "-" + turn;
            Answer granted = all.get((who + turn) % 3).acquire(name, lease, waiting(60_000, "w" + who));
            assertThat(granted.status()).as(granted.body()).isEqualTo(200);
            tokens.add(token(granted)); // an ArrayList: two at once would be seen
            assertThat(Client.outcome(all.get((who + turn + 1) % 3).release(name, lease)))
                    .isEqualTo("released");
        }
    }

    @SideBySide
    @DisplayName("/v1 and status answer the same everywhere")
    void otherFamilies() {
        String path = "/v1/" + "team" + "/lock/" + name;
        String body = "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}";
        assertThat(a.post(path + "/acquire", body).status()).isEqualTo(200);
        assertThat(b.get(path).json().get("owner").text()).isEqualTo("anonymous");
        assertThat(b.post(path + "/acquire", body.replace("pod-1", "pod-2")).status())
                .isEqualTo(423);
        assertThat(c.get("/api/locks/status?namespace=team&lockName=" + name)
                        .json()
                        .get("count")
                        .number())
                .isEqualTo(1);
        assertThat(b.post(path + "/renew", body).status()).isEqualTo(200);
        assertThat(c.post(path + "/release", "{\"instanceId\":\"pod-1\"}").status())
                .isEqualTo(200);
        assertThat(a.get(path).json().fields()).containsExactly("namespace", "lockName");
    }

    // ---- waiting

    @SideBySide
    @DisplayName("a release on one replica wakes the waiter of another at once")
    void wakes() throws Exception {
        a.acquire(name, "holder-" + name, "");
        CompletableFuture<Answer> waiter = b.acquireLater(name, "waiter-" + name, waiting(60_000, "w"));
        awaitQueue(1);
        long start = System.nanoTime();
        a.release(name, "holder-" + name);
        Answer granted = waiter.get(20, TimeUnit.SECONDS);
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        System.out.println("a waiter of another replica was woken " + millis + " ms after the release");
        assertThat(granted.status()).isEqualTo(200);
        assertThat(millis)
                .isLessThan(10_000); // the machine may be busy; polling alone would take a waiter's whole wait
    }

    @SideBySide
    @DisplayName("a place taken through one replica is taken over through another, and keeps its position")
    void placeMoves() throws Exception {
        a.acquire(name, "holder-" + name, "");
        Answer first = a.acquire(name, "first---" + name, waiting(300, "one"));
        Answer second = a.acquire(name, "second--" + name, waiting(300, "two"));
        assertThat(List.of(first.status(), second.status())).containsExactly(202, 202);
        assertThat(second.json().get("position").number()).isEqualTo(2);

        Answer moved = b.acquire(name, "first---" + name, waiting(300, "one"));
        assertThat(moved.status()).isEqualTo(202);
        assertThat(moved.json().get("position").number()).isEqualTo(1);
        assertThat(a.look(name).get("waiters").list()).hasSize(2);

        CompletableFuture<Answer> two = c.acquireLater(name, "second--" + name, waiting(30_000, "two"));
        CompletableFuture<Answer> one = b.acquireLater(name, "first---" + name, waiting(30_000, "one"));
        c.release(name, "holder-" + name);
        assertThat(one.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(two).isNotDone();
        a.release(name, "first---" + name);
        assertThat(two.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }

    @SideBySide
    @DisplayName("first come, first served, whichever replica each came to")
    void firstComeFirstServed() throws Exception {
        List<Client> all = List.of(a, b, c);
        a.acquire(name, "holder-" + name, "");
        List<CompletableFuture<Answer>> waiters = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            waiters.add(all.get(i % 3).acquireLater(name, "waiter-" + name + "-" + i, waiting(60_000, "w" + i)));
            awaitQueue(i + 1);
        }
        String holder = "holder-" + name;
        long last = 0;
        for (int i = 0; i < 9; i++) {
            all.get((i + 1) % 3).release(name, holder);
            Answer granted = waiters.get(i).get(20, TimeUnit.SECONDS);
            assertThat(granted.status()).as("waiter %d: %s", i, granted.body()).isEqualTo(200);
            assertThat(token(granted)).isGreaterThan(last);
            last = token(granted);
            for (int later = i + 1; later < 9; later++) {
                assertThat(waiters.get(later))
                        .as("waiter %d while %d holds", later, i)
                        .isNotDone();
            }
            holder = "waiter-" + name + "-" + i;
        }
    }

    // ---- looking and forcing

    @SideBySide
    @DisplayName("force-unlock on one: the holder hears it from another, and the next is granted anywhere")
    void forced() {
        Answer granted = b.acquire(name, "victim-" + name, "");
        Answer forced = a.post(
                "/v2/locks/force-unlock",
                "{" + Client.key(name) + ",\"fencing_token\":" + token(granted) + ",\"reason\":\"stuck\"}");
        assertThat(forced.status()).as(forced.body()).isEqualTo(200);
        Json result = b.renew(name, "victim-" + name).json().get("results").get(0);
        assertThat(result.get("outcome").text()).isEqualTo("lost");
        assertThat(result.get("reason").text()).isEqualTo("forced");
        Answer next = c.acquire(name, "next---" + name, "");
        assertThat(next.status()).isEqualTo(200);
        assertThat(token(next)).isGreaterThan(token(granted));
    }

    @SideBySide
    @DisplayName("every replica lists the locks of all")
    void lists() {
        int i = 0;
        for (Client replica : List.of(a, b, c)) {
            replica.acquire(name + "-" + i, "lease-" + name + "-" + i++, "");
        }
        for (Client replica : List.of(a, b, c)) {
            List<Json> items = replica.get("/v2/locks?namespace=n&state=held&prefix=" + name + "-")
                    .json()
                    .get("items")
                    .list();
            assertThat(items).hasSize(3);
        }
    }

    @SideBySide
    @DisplayName("history and event stream of one show what happens on the others")
    void events() {
        try (Listening stream = new Listening(c, "?prefix=" + name)) {
            Json event = null;
            for (int i = 0; event == null && i < 40; i++) { // it says nothing about when it is ready
                a.acquire(name, "lease-" + name + "-" + i, "\"mode\":\"shared\",\"owner\":\"from-a\"");
                event = stream.soon();
            }
            assertThat(event).isNotNull();
            assertThat(event.get("event").text()).isEqualTo("lock.acquired");
            assertThat(event.get("name").text()).isEqualTo(name);
            assertThat(event.get("locked_by").text()).isEqualTo("from-a");
        }
        assertThat(c.get("/v2/history?namespace=n&name=" + name + "&event=lock.acquired")
                        .json()
                        .get("items")
                        .list())
                .isNotEmpty()
                .allMatch(item -> item.get("locked_by").text().equals("from-a"));
    }

    // ---- a replica dies

    @SideBySide
    @DisplayName("kill -9 of a replica loses no lease; those who waited at it are passed over, others get the lock")
    void killed() throws Exception {
        int held = 50;
        try (ReplicaProcess victim = ReplicaProcess.start(store);
                ReplicaProcess other = ReplicaProcess.start(store)) {
            String[] pairs = IntStream.range(0, held)
                    .boxed()
                    .flatMap(i -> Stream.of(name + "-" + i, "lease-" + name + "-" + i))
                    .toArray(String[]::new);
            for (int i = 0; i < held; i++) {
                assertThat(victim.client()
                                .acquire(pairs[2 * i], pairs[2 * i + 1], "")
                                .status())
                        .isEqualTo(200);
            }
            List<CompletableFuture<Answer>> dead = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                dead.add(victim.client().acquireLater(pairs[0], "dead-" + name + "-" + i, waiting(60_000, "dead" + i)));
            }
            Await.until(
                    "five wait", () -> a.look(pairs[0]).get("waiters").list().size() == 5);
            CompletableFuture<Answer> alive =
                    other.client().acquireLater(pairs[0], "alive-" + name, waiting(60_000, "alive"));
            Await.until("six wait", () -> a.look(pairs[0]).get("waiters").list().size() == 6);

            victim.kill();
            dead.forEach(waiter ->
                    assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS)).isNotNull());

            for (Client replica : List.of(other.client(), a)) {
                List<Json> results = replica.renew(pairs).json().get("results").list();
                assertThat(results).hasSize(held);
                assertThat(results)
                        .allMatch(result -> result.get("outcome").text().equals("renewed"));
            }
            long start = System.nanoTime();
            assertThat(Client.outcome(b.release(pairs[0], pairs[1]))).isEqualTo("released");
            Answer granted = alive.get(60, TimeUnit.SECONDS);
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            System.out.println("the dead replica's waiters were passed over after " + millis + " ms");
            assertThat(granted.status()).as(granted.body()).isEqualTo(200);
            assertThat(millis).isLessThan(30_000);
            for (int i = 1; i < held; i++) {
                assertThat(Client.outcome(c.release(pairs[2 * i], pairs[2 * i + 1])))
                        .isEqualTo("released");
            }
        }
    }
}
