package dev.holdfast.jdbc.postgres;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it ends connections of the whole server")
@DisplayName("when PostgreSQL fails")
class PostgresFailureTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final PostgresConfig QUICK = PostgresConfig.DEFAULT
            .withConnectTimeout(Duration.ofSeconds(1))
            .withStatementTimeout(Duration.ofMillis(500));
    private static final ClientConfig IMPATIENT = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1));

    private PostgresServer server = Postgres.newest();
    private String url = "";

    @BeforeEach
    void schema() {
        server = Postgres.newest();
        url = server.freshSchema();
    }

    private static void assertUnusable(String url, String... said) {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> PostgresStore.open(url, QUICK))
                .withMessageContainingAll(said);
    }

    @Nested
    @DisplayName("at the start")
    class AtTheStart {
        @Test
        @DisplayName("a server that is down is named, without the password, and what to check")
        void down() {
            String nowhere = "postgresql://app:s3cr%40t@127.0.0.1:1/orders";
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> PostgresStore.open(nowhere, QUICK))
                    .withMessageContainingAll("127.0.0.1:1/orders", "app:***@", "check that the server runs")
                    .withMessageNotContaining("s3cr");
        }

        @Test
        @DisplayName("a database that is not there is named")
        void noDatabase() {
            assertUnusable(server.url("nowhere"), "no such database", "nowhere");
        }

        @Test
        @DisplayName("a user who may not log in is told what to check")
        void noLogin() {
            server.sql("postgres", "drop role if exists locked_out", "create role locked_out");
            assertUnusable(url.replace("postgres@", "locked_out@"), "refuses the login", "pg_hba.conf");
        }

        @Test
        @DisplayName("a standby is refused, naming the way out")
        void standby() {
            try (PostgresServer standby =
                    PostgresServer.builder().quick().standby().start()) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> PostgresStore.open(standby.url("postgres"), QUICK))
                        .withMessageContainingAll("read-only", "connect to the primary");
            }
        }

        @Test
        @DisplayName("a session that may only read is told so when it writes, and nothing is busy or free")
        void readOnly() throws Exception {
            PostgresStore.open(url, QUICK).close();
            String reading = url + "&options=-c%20default_transaction_read_only=on";
            try (LockClient locks = LockClient.on(PostgresStore.open(reading, QUICK), IMPATIENT)) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> locks.tryAcquire("a"))
                        .withMessageContaining("connect to the primary");
            }
        }

        @Test
        @DisplayName("a pool that is too small is told how many connections are needed")
        void smallPool() {
            try (HikariDataSource pool = pool(1, 300)) {
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> PostgresStore.open(pool, QUICK))
                        .withMessageContaining("connections");
            }
        }
    }

    private HikariDataSource pool(int size, long timeoutMillis) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(DatabaseUrl.of(url, "postgresql").jdbc());
        config.setUsername("postgres");
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(timeoutMillis);
        return new HikariDataSource(config);
    }

    @Nested
    @DisplayName("while locks are held")
    class WhileHeld {
        @Test
        @DisplayName(
                "a cut line ends the lease at its deadline as unreachable, nothing is busy or free, and it heals by itself")
        void cut() throws Exception {
            try (CuttableLine line = new CuttableLine(server.port());
                    LockClient locks = LockClient.on(open(line), IMPATIENT)) {
                Lease lease = locks.acquire("a", o -> o.lease(LEASE));
                List<LostReason> lost = new CopyOnWriteArrayList<>();
                lease.onLost(lost::add);
                line.cut();
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> locks.tryAcquire("b"));
                Await.until("it is lost", () -> !lost.isEmpty());
                assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE);
                assertThat(lease.isValid()).isFalse();
                line.heal();
                Await.until("it works again", () -> works(locks, "b"));
                try (Lease again = locks.acquire("a")) {
                    assertThat(again.token().value())
                            .isGreaterThan(lease.token().value());
                }
            }
        }

        @Test
        @DisplayName("a short cut is bridged by renewals: the lease is not lost")
        void shortCut() throws Exception {
            try (CuttableLine line = new CuttableLine(server.port());
                    LockClient locks = LockClient.on(open(line), IMPATIENT)) {
                Lease lease = locks.acquire("a", o -> o.lease(Duration.ofSeconds(4)));
                Instant firstEnd = lease.expiresAt().orElseThrow();
                line.cut();
                Await.until("a renewal was missed", () -> lease.remaining().compareTo(Duration.ofMillis(2_400)) < 0);
                line.heal();
                Await.until("its first end is past", () -> Instant.now().isAfter(firstEnd));
                assertThat(lease.isValid()).isTrue();
                assertThat(lease.release()).isTrue();
            }
        }

        @Test
        @DisplayName("a line that goes silent is given up, and works again when it speaks")
        void silent() throws Exception {
            try (CuttableLine line = new CuttableLine(server.port());
                    LockClient locks = LockClient.on(open(line), IMPATIENT)) {
                assertThat(works(locks, "a")).isTrue();
                line.freeze();
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> locks.tryAcquire("b"));
                line.heal();
                Await.until("it works again", () -> works(locks, "c"));
            }
        }

        private RecordStore open(CuttableLine line) {
            return PostgresStore.open(url.replace(":" + server.port() + "/", ":" + line.port() + "/"), QUICK);
        }

        @Test
        @DisplayName("connections that the server ends or statements it cancels lose no lock and grant none twice")
        void terminated() throws Exception {
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger turns = new AtomicInteger();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            try (LockClient one = LockClient.on(PostgresStore.open(url, QUICK), ClientConfig.DEFAULT);
                    LockClient two = LockClient.on(PostgresStore.open(url, QUICK), ClientConfig.DEFAULT)) {
                for (LockClient locks : List.of(one, one, two, two)) {
                    callers.add(CompletableFuture.runAsync(() -> takeTurns(locks, ended, inside, turns)));
                }
                for (int i = 0; i < 20; i++) {
                    int before = turns.get();
                    Await.until("they go on", () -> turns.get() > before + 3);
                    String how = i % 2 == 0 ? "pg_terminate_backend" : "pg_cancel_backend";
                    Postgres.sql(
                            url,
                            "select " + how + "(pid) from pg_stat_activity where application_name = 'holdfast'"
                                    + " and pid <> pg_backend_pid()");
                }
                ended.set(true);
                callers.forEach(Await::get);
            }
            assertThat(turns).hasValueGreaterThan(60);
        }

        private void takeTurns(LockClient locks, AtomicBoolean ended, AtomicInteger inside, AtomicInteger turns) {
            while (!ended.get()) {
                try (Lease lease =
                        locks.acquire(LockKey.of("default", "turns"), o -> o.lease(Duration.ofSeconds(10)))) {
                    if (inside.incrementAndGet() != 1) {
                        throw new AssertionError("two at once");
                    }
                    lease.ensureValid();
                    inside.decrementAndGet();
                    turns.incrementAndGet();
                } catch (StoreException e) {
                    assertThat(e).isNotInstanceOf(StoreUnusableException.class);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    private static boolean works(LockClient locks, String name) {
        try (Lease lease = locks.acquire(name)) {
            return lease.isValid();
        } catch (StoreException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Nested
    @DisplayName("beside other transactions")
    class BesideOthers {
        @Test
        @DisplayName("a row somebody keeps locked fails alone; the others of its batch are written")
        void lockedRowInABatch() throws Exception {
            try (RecordStore store = PostgresStore.open(url, QUICK);
                    Connection other = Postgres.connect(url);
                    Statement statement = other.createStatement()) {
                List<LockRecord> records = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    records.add(put(store, held(key("lock-" + i))));
                }
                other.setAutoCommit(false);
                statement.execute("select * from holdfast_lock where name = 'lock-2' for update");
                for (int round = 0; round < 3; round++) {
                    List<Write> writes = new ArrayList<>();
                    List<LockRecord> next = new ArrayList<>();
                    for (LockRecord record : records) {
                        LockRecord changed = held(record.key());
                        next.add(changed);
                        writes.add(Locks.stamped(record, changed));
                    }
                    List<WriteResult> results = Await.get(store.write(writes));
                    assertThat(results.get(2)).isInstanceOfSatisfying(WriteResult.Failed.class, failed -> {
                        assertThat(failed.why()).isInstanceOf(StoreUnavailableException.class);
                        assertThat(failed.why()).hasMessageContaining("pg_stat_activity");
                    });
                    next.set(2, records.get(2));
                    records = next;
                    for (LockRecord record : records) {
                        assertThat(read(store, record.key())).isEqualTo(record);
                    }
                }
                other.rollback();
                assertThat(Locks.write(store, Locks.stamped(records.get(2), held(key("lock-2")))))
                        .isInstanceOf(WriteResult.Applied.class);
            }
        }

        @Test
        @DisplayName("a lease whose row is locked for a while is not lost, and other locks do not notice")
        void lockedRowOfALease() throws Exception {
            try (LockClient locks = LockClient.on(PostgresStore.open(url, QUICK), IMPATIENT);
                    Connection other = Postgres.connect(url);
                    Statement statement = other.createStatement()) {
                Lease held = locks.acquire("held", o -> o.lease(Duration.ofSeconds(4)));
                Instant firstEnd = held.expiresAt().orElseThrow();
                Lease beside = locks.acquire("beside", o -> o.lease(Duration.ofSeconds(1)));
                other.setAutoCommit(false);
                statement.execute("select * from holdfast_lock where name = 'held' for update");
                long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
                while (System.nanoTime() < end) {
                    assertThat(works(locks, "another")).isTrue();
                }
                assertThat(beside.isValid()).isTrue();
                other.rollback();
                Await.until("its first end is past", () -> Instant.now().isAfter(firstEnd));
                assertThat(held.isValid()).isTrue();
            }
        }

        @Test
        @DisplayName("an exhausted pool disturbs neither locks nor leases")
        void exhaustedPool() throws Exception {
            List<Connection> taken = new ArrayList<>();
            try (HikariDataSource pool = pool(8, 250);
                    LockClient locks = LockClient.on(PostgresStore.open(pool, QUICK), IMPATIENT)) {
                Lease lease = locks.acquire("a", o -> o.lease(LEASE));
                try {
                    while (true) {
                        taken.add(pool.getConnection());
                    }
                } catch (SQLException e) {
                    assertThat(taken).isNotEmpty();
                }
                long end = System.nanoTime() + LEASE.multipliedBy(2).toNanos();
                while (System.nanoTime() < end) {
                    assertThat(works(locks, "another")).isTrue();
                }
                assertThat(lease.isValid()).isTrue();
                for (Connection connection : taken) {
                    connection.close();
                }
            }
        }

        @Test
        @DisplayName("connections go back to the pool as they were taken")
        void givenBack() throws Exception {
            try (HikariDataSource pool = pool(8, 1_000)) {
                String settings = "select current_setting('lock_timeout'), current_setting('statement_timeout'),"
                        + " current_setting('enable_seqscan'), current_setting('plan_cache_mode')";
                try (LockClient locks = LockClient.on(PostgresStore.open(pool, QUICK), ClientConfig.DEFAULT)) {
                    assertThat(works(locks, "a")).isTrue();
                }
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
                List<Connection> all = new ArrayList<>();
                for (int i = 0; i < pool.getHikariPoolMXBean().getTotalConnections(); i++) {
                    Connection connection = pool.getConnection();
                    all.add(connection);
                    assertThat(Locks.rows(connection, settings)).containsExactly("0|0|on|auto");
                    assertThat(connection.getNetworkTimeout()).isZero();
                    assertThat(Locks.rows(connection, "select * from pg_listening_channels()"))
                            .isEmpty();
                }
                for (Connection connection : all) {
                    connection.close();
                }
            }
        }
    }

    @Test
    @DisplayName("a batch reads by index only, also with a plan that was made when there was nothing")
    void plansByIndex() throws Exception {
        try (RecordStore store = PostgresStore.open(url, QUICK)) {
            List<LockRecord> records = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                records.add(held(key("early-" + i)));
            }
            Await.get(store.write(
                    records.stream().map(record -> Locks.absent(record)).toList()));
            records = rewritten(store, records);
            Postgres.sql(
                    url,
                    "insert into holdfast_lock (namespace, name, stamp, fence, format, busy, body, past) select 'default',"
                            + " 'filler-' || i, 1, 1, 1, 0, '{\"format\":1}', '' from generate_series(1, 20000) i");
            long before = fetched();
            for (int i = 0; i < 5; i++) {
                records = rewritten(store, records);
            }
            Await.until("the server has counted", () -> fetched() >= before + 5 * 64);
            assertThat(fetched() - before).as("rows fetched for 320 writes").isLessThan(5 * 64 * 4);
            assertThat(Postgres.query(
                            url,
                            "select coalesce(max(seq_tup_read), 0) from pg_stat_user_tables"
                                    + " where schemaname = current_schema() and relname = 'holdfast_lock'"))
                    .containsExactly("0");
        }
    }

    private long fetched() {
        try {
            return Long.parseLong(Postgres.query(
                            url,
                            "select coalesce(max(idx_tup_fetch), 0) from pg_stat_user_tables"
                                    + " where schemaname = current_schema() and relname = 'holdfast_lock'")
                    .get(0));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static List<LockRecord> rewritten(RecordStore store, List<LockRecord> records) {
        List<LockRecord> next =
                records.stream().map(record -> held(record.key())).toList();
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < next.size(); i++) {
            writes.add(Locks.stamped(records.get(i), next.get(i)));
        }
        assertThat(Await.get(store.write(writes))).allMatch(result -> result instanceof WriteResult.Applied);
        return next;
    }

    @Test
    @DisplayName("two engines on one database never answer from what they remember")
    void noStaleAnswers() throws Exception {
        try (LockClient one = LockClient.on(PostgresStore.open(url, QUICK), ClientConfig.DEFAULT);
                LockClient two = LockClient.on(PostgresStore.open(url, QUICK), ClientConfig.DEFAULT)) {
            for (int i = 0; i < 50; i++) {
                Lease first = one.tryAcquire("a").orThrow();
                assertThat(two.tryAcquire("a")).isInstanceOf(Attempt.Busy.class);
                assertThat(one.tryAcquire("a")).isInstanceOf(Attempt.Busy.class);
                assertThat(first.release()).isTrue();
                Lease second = two.tryAcquire("a").orThrow();
                assertThat(one.tryAcquire("a")).isInstanceOf(Attempt.Busy.class);
                assertThat(first.release()).isFalse();
                assertThat(second.release()).isTrue();
            }
        }
    }
}
