package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Watchable;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.PgBouncer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("behind PgBouncer in transaction mode")
class PostgresPoolerTest {
    private static final int CONNECTIONS = 4;
    private static final PostgresConfig QUICK = PostgresConfig.DEFAULT
            .withConnectTimeout(Duration.ofSeconds(1))
            .withStatementTimeout(Duration.ofSeconds(1));
    private static final ClientConfig IMPATIENT = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(2));

    private PostgresServer server = Postgres.newest();
    private final List<PgBouncer> running = new ArrayList<>();
    private String database = "";
    private String url = "";

    @BeforeEach
    void database() {
        Assumptions.assumeTrue(PgBouncer.program().isPresent(), "pgbouncer is not installed");
        server = Postgres.newest();
        database = server.freshDatabase();
        url = pooler(CONNECTIONS).url(database);
    }

    @AfterEach
    void end() {
        running.forEach(PgBouncer::close);
        if (!database.isEmpty()) {
            server.dropDatabase(database);
        }
    }

    private PgBouncer pooler(int connections) {
        PgBouncer pooler = PgBouncer.start(server, connections);
        running.add(pooler);
        return pooler;
    }

    private RecordStore open() {
        return PostgresStore.open(url, QUICK);
    }

    private LockClient client() {
        return LockClient.on(open(), IMPATIENT);
    }

    // ---- recognised

    @Test
    @DisplayName("the pooler is recognised every time, and never seen where there is none")
    void recognised() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(new PostgresPooler(PostgresDatabase.source(url, Postgres.settings(QUICK))).isThere())
                    .isTrue();
            assertThat(new PostgresPooler(PostgresDatabase.source(server.url(database), Postgres.settings(QUICK)))
                            .isThere())
                    .isFalse();
        }
    }

    @Test
    @DisplayName("it is recognised while others keep its connections busy")
    void recognisedUnderLoad() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(CompletableFuture.runAsync(() -> useConnections(ended)));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(new PostgresPooler(PostgresDatabase.source(url, Postgres.settings(QUICK))).isThere())
                    .isTrue();
        }
        ended.set(true);
        others.forEach(Await::get);
    }

    private void useConnections(AtomicBoolean ended) {
        try (Connection other = Postgres.connect(url);
                Statement statement = other.createStatement()) {
            while (!ended.get()) {
                statement.execute("select pg_sleep(0.002)");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("a pooler with a single connection is recognised, and enough")
    void singleConnection() throws Exception {
        String narrow = pooler(1).url(database);
        try (LockClient locks = LockClient.on(PostgresStore.open(narrow, QUICK), IMPATIENT)) {
            assertThat(works(locks)).isTrue();
        }
    }

    @Test
    @DisplayName("more stores than it has connections open at the same moment, on an empty database")
    void openTogether() {
        List<CompletableFuture<RecordStore>> opening = new ArrayList<>();
        for (int i = 0; i < 3 * CONNECTIONS; i++) {
            CompletableFuture<RecordStore> one = new CompletableFuture<>();
            new Thread(() -> one.completeAsync(this::open, Runnable::run)).start();
            opening.add(one);
        }
        for (CompletableFuture<RecordStore> one : opening) {
            try (RecordStore store = Await.get(one)) {
                assertThat(store).isNotInstanceOf(Watchable.class);
            }
        }
    }

    @Test
    @DisplayName("nobody can be told of changes, so those who wait look often")
    void polls() {
        try (RecordStore store = open()) {
            assertThat(store).isNotInstanceOf(Watchable.class);
            assertThat(store.traits().pollInterval()).isLessThanOrEqualTo(Duration.ofMillis(200));
        }
        try (RecordStore direct = PostgresStore.open(server.url(database), QUICK)) {
            assertThat(direct).isInstanceOf(Watchable.class);
        }
    }

    // ---- locks

    @Test
    @DisplayName("clients take turns, one at a time, with no error, and the history has it all")
    void turns() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        int each = 50;
        try (LockClient one = client();
                LockClient two = client()) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (LockClient locks : List.of(one, one, two, two)) {
                callers.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < each; i++) {
                        turn(locks, inside, turns);
                    }
                }));
            }
            callers.forEach(Await::get);
        }
        assertThat(turns).hasValue(4 * each);
        assertThat(Postgres.query(
                        server.url(database),
                        "select type, count(*) from holdfast_event where type in ('acquired', 'released')"
                                + " group by type order by type"))
                .containsExactly("acquired|200", "released|200");
    }

    private static void turn(LockClient locks, AtomicInteger inside, AtomicInteger turns) {
        try (Lease lease = locks.acquire("turns", o -> o.lease(Duration.ofSeconds(10)))) {
            if (inside.incrementAndGet() != 1) {
                throw new AssertionError("two at once");
            }
            lease.ensureValid();
            inside.decrementAndGet();
            turns.incrementAndGet();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("a short lease is kept by renewals, and the one who waits gets the lock after the release")
    void renewed() throws Exception {
        try (LockClient one = client();
                LockClient two = client()) {
            Lease lease = one.acquire("a", o -> o.lease(Duration.ofSeconds(1)));
            Instant thrice = lease.expiresAt().orElseThrow().plusSeconds(2);
            Await.until("several leases have passed", () -> Instant.now().isAfter(thrice));
            assertThat(lease.isValid()).isTrue();
            assertThat(two.tryAcquire("a")).isInstanceOf(Attempt.Busy.class);
            CompletableFuture<Attempt<Lease>> next = two.acquireAsync(
                            LockKey.of("default", "a"), o -> o.waitUpTo(Duration.ofSeconds(20)))
                    .toCompletableFuture();
            assertThat(lease.release()).isTrue();
            Lease second = Await.get(next).orThrow();
            assertThat(second.token().value()).isGreaterThan(lease.token().value());
            assertThat(second.release()).isTrue();
        }
    }

    @Test
    @DisplayName("many locks at once give no error of prepared statements")
    void load() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        AtomicInteger taken = new AtomicInteger();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        try (LockClient one = client();
                LockClient two = client()) {
            for (int i = 0; i < 8; i++) {
                LockClient locks = i % 2 == 0 ? one : two;
                String name = "lock-" + i / 4;
                String own = "own-" + i;
                callers.add(CompletableFuture.runAsync(() -> {
                    while (!ended.get()) {
                        try (Lease shared = locks.acquire(name);
                                Lease mine = locks.acquire(own)) {
                            shared.ensureValid();
                            mine.ensureValid();
                            locks.inspect().get(LockKey.of("default", own));
                            taken.incrementAndGet();
                        } catch (StoreException | InterruptedException e) {
                            failures.add(e);
                        }
                    }
                }));
            }
            Await.until("there was some load", () -> taken.get() > 200 || !failures.isEmpty());
            ended.set(true);
            callers.forEach(Await::get);
        }
        assertThat(failures).isEmpty();
        assertThat(taken).hasValueGreaterThan(200);
    }

    // ---- others behind the same pooler

    @Test
    @DisplayName("our settings reach no other client of the pooler")
    void noSettingsLeak() throws Exception {
        List<String> names = List.of(
                "lock_timeout",
                "statement_timeout",
                "plan_cache_mode",
                "enable_seqscan",
                "enable_hashjoin",
                "synchronous_commit",
                "jit");
        Map<String, String> before = settings(server.url(database), names);
        try (LockClient one = client();
                LockClient two = client()) {
            AtomicInteger turns = new AtomicInteger();
            CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 100; i++) {
                    turn(one, new AtomicInteger(), turns);
                    turn(two, new AtomicInteger(), turns);
                }
            });
            while (!busy.isDone()) {
                assertThat(settings(url, names)).isEqualTo(before);
            }
            Await.get(busy);
            assertAllConnectionsHave(names, before);
        }
    }

    private static Map<String, String> settings(String where, List<String> names) throws SQLException {
        try (Connection connection = Postgres.connect(where)) {
            return settings(connection, names);
        }
    }

    private static Map<String, String> settings(Connection connection, List<String> names) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        for (String name : names) {
            settings.put(name, Locks.rows(connection, "show " + name).get(0));
        }
        return settings;
    }

    /** As many transactions at once as there are connections, so each of those is seen. */
    private void assertAllConnectionsHave(List<String> names, Map<String, String> expected) throws Exception {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = Postgres.connect(url);
                all.add(connection);
                connection.setAutoCommit(false);
                assertThat(settings(connection, names)).isEqualTo(expected);
            }
        } finally {
            for (Connection connection : all) {
                connection.rollback();
                connection.close();
            }
        }
    }

    // ---- it fails

    @Test
    @DisplayName(
            "when it is killed and started again, locks work again by themselves, and a lease survives a short gap")
    void restarted() throws Exception {
        try (LockClient one = client();
                LockClient two = client()) {
            Lease lease = one.acquire("held", o -> o.lease(Duration.ofSeconds(15)));
            for (int i = 0; i < 3; i++) {
                running.get(0).kill();
                assertThat(works(one)).isFalse();
                running.get(0).restart();
                Await.until("both work again", () -> works(one) && works(two));
            }
            assertThat(two.tryAcquire("held")).isInstanceOf(Attempt.Busy.class);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    private static boolean works(LockClient locks) {
        try (Lease lease = locks.acquire("works")) {
            return lease.isValid();
        } catch (StoreException e) {
            assertThat(e).isNotInstanceOf(StoreUnusableException.class);
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
