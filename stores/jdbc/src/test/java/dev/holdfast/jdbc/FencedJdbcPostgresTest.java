package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("transactions that check their lease, in PostgreSQL")
class FencedJdbcPostgresTest extends FenceCases {
    private final String name = "fence-" + UUID.randomUUID();
    private final String url = Postgres.newest().freshSchema();

    @Override
    RecordStore open() {
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    @Override
    Connection connect() throws SQLException {
        Connection connection = Postgres.connect(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set application_name = '" + name + "'");
        }
        return connection;
    }

    @Override
    Connection connectElsewhere() throws SQLException {
        return Postgres.connect(Postgres.newest().freshSchema());
    }

    @Override
    boolean sideBySide() {
        return true;
    }

    @Override
    String restore() {
        return "insert into holdfast_lock overriding system value select * from backup";
    }

    @Test
    @DisplayName("neighbours, shared holders and other locks run side by side, also the first time")
    void sideBySideTransactions() throws SQLException {
        checked(acquire(LOCK.at("a/x")));
        checked(acquire(LOCK.at("a/y")));
        checked(acquire(LOCK.at("b")));
        checked(acquire(LockKey.of("shop", "other")));
        try (Lease first = acquire(LockKey.of("default", "catalogue"), AcquireOptions::shared)) {
            checkWriteCommit(first); // marks the lock as one that is shared
        }
        checked(acquire(LockKey.of("default", "catalogue"), AcquireOptions::shared));
        checked(acquire(LockKey.of("default", "catalogue"), AcquireOptions::shared));
        assertThat(waiting()).isZero();
    }

    @Test
    @DisplayName("locks of the same name in another schema are other locks")
    void otherSchema() throws SQLException {
        checked(acquire(LOCK));
        String other = Postgres.newest().freshSchema();
        try (LockClient there = LockClient.on(PostgresStore.open(other, PostgresConfig.DEFAULT), ClientConfig.DEFAULT);
                Connection connection = Postgres.connect(other)) {
            connection.setAutoCommit(false);
            FencedJdbc.check(connection, there.acquire(LOCK, o -> {}));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("an isolation level that does not see the present is refused, and told what to do")
    void isolation() throws SQLException {
        Lease lease = acquire(LOCK);
        for (int level : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            try (Connection connection = begin()) {
                connection.setTransactionIsolation(level);
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> FencedJdbc.check(connection, lease))
                        .withMessageContainingAll("READ COMMITTED", "setTransactionIsolation");
            }
        }
    }

    @Test
    @DisplayName("a holder that is followed while its check waits is refused when its turn comes")
    void followedWhileWaiting() throws Exception {
        Lease first = acquire(LOCK);
        Connection open = checked(first);
        lose(first);
        Lease second = acquire(LOCK);
        CompletableFuture<Void> waiting = later(second);
        Await.until("the second holder waits for the first one's transaction", this::somebodyWaits);
        lose(second);
        Lease third = acquire(LOCK);
        write(open, first);
        open.commit();
        assertThatExceptionOfType(StaleLeaseException.class).isThrownBy(() -> Await.get(waiting));
        checkWriteCommit(third);
        assertThat(journal())
                .containsExactly(first.token().value(), third.token().value());
    }

    private boolean somebodyWaits() {
        try {
            return waiting() > 0;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Transactions of this case that wait for another; other cases use the same server meanwhile. */
    private long waiting() throws SQLException {
        return longs("select count(*) from pg_locks join pg_stat_activity using (pid)"
                        + " where locktype = 'advisory' and not granted"
                        + " and application_name = current_setting('application_name')")
                .get(0);
    }

    @Test
    @DisplayName(
            "a transaction much longer than the lease disturbs neither its renewals, nor its release, nor other locks")
    void longTransaction() throws Exception {
        Lease lease = acquire(LOCK.at("a"), o -> o.lease(Duration.ofSeconds(1)));
        Connection open = checked(lease);
        write(open, lease);
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() < end) {
            lease.ensureValid();
            acquire(LOCK.at("b"), o -> o.waitUpTo(Duration.ofMillis(500))).release();
            acquire(LockKey.of("default", "other"), o -> o.waitUpTo(Duration.ofMillis(500)))
                    .release();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(lease.release()).isTrue();
        Lease next = acquire(LOCK);
        CompletableFuture<Void> waiting = later(next);
        assertWaits(waiting);
        assertThat(next.isValid()).isTrue();
        open.commit();
        Await.get(waiting);
        assertThat(journal())
                .containsExactly(lease.token().value(), next.token().value());
    }

    @Test
    @DisplayName("under load, with holders that lose their lease before and after the check, writes follow the tokens")
    void orderUnderLoad() throws Exception {
        sql("create table work (id bigint generated always as identity, path text, alone boolean, token bigint)");
        AtomicInteger refused = new AtomicInteger();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            long seed = worker;
            workers.add(async(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < 40; i++) {
                    work(random, refused);
                }
            }));
        }
        for (CompletableFuture<Void> worker : workers) {
            worker.get(100, TimeUnit.SECONDS);
        }
        assertThat(refused).hasPositiveValue();
        List<Written> written = written();
        assertThat(written).hasSizeGreaterThan(60);
        for (int i = 0; i < written.size(); i++) {
            for (int j = i + 1; j < written.size(); j++) {
                Written earlier = written.get(i);
                Written later = written.get(j);
                assertThat(earlier.mayPrecede(later))
                        .as(earlier + " before " + later)
                        .isTrue();
            }
        }
    }

    private void work(Random random, AtomicInteger refused) throws Exception {
        String path = List.of("", "a", "a/x", "a/y", "b").get(random.nextInt(5));
        boolean alone = random.nextInt(3) > 0;
        int losesAt = random.nextInt(4);
        Lease lease = acquire(LOCK.at(path), alone ? o -> {} : AcquireOptions::shared);
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            loseIf(losesAt == 0 && random.nextBoolean(), lease, random);
            FencedJdbc.check(connection, lease);
            loseIf(losesAt == 1, lease, random);
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into work (path, alone, token) values ('" + path + "', " + alone + ", "
                        + lease.token() + ")");
            }
            loseIf(losesAt == 2, lease, random);
            connection.commit();
        } catch (StaleLeaseException e) {
            refused.incrementAndGet();
        }
        lease.release();
    }

    private void loseIf(boolean lost, Lease lease, Random random) throws InterruptedException {
        if (lost) {
            lose(lease);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20)); // the pause in which others come
        }
    }

    private List<Written> written() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select path, alone, token from work order by id")) {
            List<Written> all = new ArrayList<>();
            while (row.next()) {
                all.add(new Written(LockPath.of(row.getString(1)), row.getBoolean(2), row.getLong(3)));
            }
            return all;
        }
    }

    private record Written(LockPath path, boolean alone, long token) {
        boolean mayPrecede(Written later) {
            return token <= later.token || !path.overlaps(later.path) || !(alone || later.alone);
        }
    }
}
