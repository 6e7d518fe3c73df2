package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a transaction that checks its lease can rely on, in every database that keeps locks. */
abstract class FenceCases {
    static final LockKey LOCK = LockKey.of("shop", "stock");

    /** Long enough for a transaction that need not wait to end; whoever has to wait is still waiting then. */
    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final List<Connection> connections = new ArrayList<>();
    LockClient locks = LockClient.connect("memory:");

    abstract RecordStore open() throws Exception;

    /** A connection of the application to the database where the locks are. */
    abstract Connection connect() throws SQLException;

    /** A connection to a database without locks. */
    abstract Connection connectElsewhere() throws SQLException;

    /** Whether transactions that write run side by side. */
    abstract boolean sideBySide();

    @BeforeEach
    void start() throws Exception {
        locks.close();
        locks = LockClient.on(open(), ClientConfig.DEFAULT);
        sql("create table journal (id integer primary key, written_by bigint not null)");
    }

    @AfterEach
    void stop() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        locks.close();
    }

    // ---- what holders do

    private static void alone(AcquireOptions options) {
        // as it is
    }

    Lease acquire(LockKey key) {
        return acquire(key, FenceCases::alone);
    }

    Lease acquire(LockKey key, Consumer<AcquireOptions> options) {
        try {
            return locks.acquire(key, options);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the hold behind the holder's back, as its expiry would: it goes on as if it held. */
    void lose(Lease lease) {
        assertThat(locks.inspect().forceUnlock(lease.key(), lease.token(), "test"))
                .isInstanceOf(Attempt.Done.class);
    }

    Connection begin() throws SQLException {
        Connection connection = connect();
        synchronized (connections) {
            connections.add(connection);
        }
        connection.setAutoCommit(false);
        return connection;
    }

    Connection checked(Lease lease) throws SQLException {
        Connection connection = begin();
        try {
            FencedJdbc.check(connection, lease);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    void write(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into journal select coalesce(max(id), 0) + 1, ? from journal")) {
            insert.setLong(1, lease.token().value());
            insert.executeUpdate();
        }
    }

    void checkWriteCommit(Lease lease) throws SQLException {
        try (Connection connection = checked(lease)) {
            write(connection, lease);
            connection.commit();
        }
    }

    CompletableFuture<Void> later(Lease lease) {
        return async(() -> checkWriteCommit(lease));
    }

    interface Act {
        void run() throws Exception;
    }

    static CompletableFuture<Void> async(Act act) {
        return CompletableFuture.runAsync(() -> {
            try {
                act.run();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static void assertWaits(CompletableFuture<Void> waiting) throws InterruptedException {
        long end = System.nanoTime() + A_WHILE.toNanos();
        while (System.nanoTime() < end) {
            assertThat(waiting).isNotDone();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    void sql(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    List<Long> longs(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<Long> found = new ArrayList<>();
            while (row.next()) {
                found.add(row.getLong(1));
            }
            return found;
        }
    }

    List<Long> journal() throws SQLException {
        return longs("select written_by from journal order by id");
    }

    static StaleLeaseException assertStale(Act act) {
        StaleLeaseException stale = catchThrowableOfType(StaleLeaseException.class, act::run);
        assertThat(stale).as("refused").isNotNull();
        return stale;
    }

    private static long token(Lease lease) {
        return lease.token().value();
    }

    // ---- the cases

    @Test
    @DisplayName("who was handed the lock by another process may write at once")
    void handedOver() throws Exception {
        try (LockClient others = LockClient.on(open(), ClientConfig.DEFAULT)) {
            for (int i = 0; i < 5; i++) {
                Lease first = others.acquire(LOCK, FenceCases::alone);
                CompletableFuture<Attempt<Lease>> next =
                        locks.acquireAsync(LOCK, o -> o.waitUpTo(Duration.ofMinutes(1)));
                Await.until(
                        "it waits", () -> !others.inspect().get(LOCK).waiters().isEmpty());
                first.close();
                Lease handed = Await.get(next).orThrow();
                checkWriteCommit(handed);
                handed.close();
            }
        }
        assertThat(longs("select written_by from journal")).hasSize(5);
    }

    @Nested
    @DisplayName("a holder that was followed")
    class Followed {
        @Test
        @DisplayName("is refused after the next holder's check, with both tokens")
        void afterTheNextWrote() throws SQLException {
            Lease first = acquire(LOCK);
            lose(first);
            Lease second = acquire(LOCK, o -> o.owner("worker-2"));
            checkWriteCommit(second);
            StaleLeaseException stale = assertStale(() -> checkWriteCommit(first));
            assertThat(stale)
                    .hasMessageContainingAll(
                            "'stock'", "'shop'", "by force", "'worker-2'", "" + first.token(), "" + second.token())
                    .hasMessageContaining("Roll back");
            assertThat(stale.key()).isEqualTo(LOCK);
            assertThat(stale.token()).isEqualTo(first.token());
            assertThat(stale.newer()).contains(second.token());
            assertThat(journal()).containsExactly(token(second));
        }

        @Test
        @DisplayName("is refused even before the next one wrote")
        void beforeTheNextWrote() throws SQLException {
            Lease first = acquire(LOCK);
            lose(first);
            Lease second = acquire(LOCK);
            assertStale(() -> checkWriteCommit(first));
            checkWriteCommit(second);
            assertThat(journal()).containsExactly(token(second));
        }

        @Test
        @DisplayName("is refused by the written token alone, if the lock's row came back from the past")
        void byTheFenceAlone() throws SQLException {
            Lease first = acquire(LOCK);
            sql("create table backup as select * from holdfast_lock");
            lose(first);
            checkWriteCommit(acquire(LOCK));
            sql("delete from holdfast_lock", restore());
            assertThat(assertStale(() -> checkWriteCommit(first))).hasMessageContaining("a later holder wrote");
        }

        @Test
        @DisplayName("is refused though it paused inside its transaction, before the check")
        void pausedInTransaction() throws SQLException {
            Lease first = acquire(LOCK);
            try (Connection paused = begin()) {
                if (sideBySide()) { // in SQLite reading first would be a refusal of its own
                    try (Statement look = paused.createStatement()) {
                        look.executeQuery("select count(*) from journal").close();
                    }
                }
                lose(first);
                checkWriteCommit(acquire(LOCK));
                assertStale(() -> FencedJdbc.check(paused, first));
            }
        }

        @Test
        @DisplayName("that had checked in time keeps the next one's check waiting, and both commit in order")
        void nextWaits() throws Exception {
            Lease first = acquire(LOCK);
            Connection open = checked(first);
            CompletableFuture<Long> second = new CompletableFuture<>();
            CompletableFuture<Void> next = async(() -> {
                lose(first);
                Lease lease = acquire(LOCK);
                second.complete(token(lease));
                checkWriteCommit(lease);
            });
            assertWaits(next);
            write(open, first);
            open.commit();
            Await.get(next);
            assertThat(journal()).containsExactly(token(first), second.join());
        }

        @Test
        @DisplayName("that rolls back lets the next one through")
        void rolledBack() throws Exception {
            Lease first = acquire(LOCK);
            Connection open = checked(first);
            CompletableFuture<Void> next = async(() -> {
                lose(first);
                checkWriteCommit(acquire(LOCK));
            });
            assertWaits(next);
            open.rollback();
            Await.get(next);
            assertThat(journal()).hasSize(1);
        }
    }

    /** Puts back the rows of {@code backup}. */
    String restore() {
        return "insert into holdfast_lock select * from backup";
    }

    @Nested
    @DisplayName("a lease that ended")
    class Ended {
        @Test
        @DisplayName("by release is refused, and told so")
        void released() {
            Lease lease = acquire(LOCK);
            lease.release();
            StaleLeaseException stale = assertStale(() -> checkWriteCommit(lease));
            assertThat(stale).hasMessageContaining("it was released");
            assertThat(stale.newer()).isEmpty();
        }

        @Test
        @DisplayName("by release, and still keeps others out for its minimum, is refused")
        void lingering() {
            Lease lease = acquire(LOCK, o -> o.minHold(Duration.ofSeconds(20)));
            lease.release();
            assertThat(assertStale(() -> checkWriteCommit(lease))).hasMessageContaining("it was released");
        }

        @Test
        @DisplayName("by its time is refused, though nobody followed it and nobody has noted its end")
        void expiredUnnoticed() throws SQLException {
            Lease lease = acquire(LOCK, o -> o.lease(Duration.ofMillis(300)).withoutRenewal());
            checked(lease).rollback();
            Await.until("it is over", () -> !lease.isValid());
            Await.until("the database's clock is past its end", () -> {
                acquire(LockKey.of("shop", "other")).close(); // in SQLite a write tells the time
                try {
                    checked(lease).rollback();
                    return false;
                } catch (SQLException e) {
                    throw new AssertionError(e);
                } catch (StaleLeaseException e) {
                    assertThat(e).hasMessageContaining("not renewed before its end");
                    return true;
                }
            });
        }

        @Test
        @DisplayName("by its time, and was followed, is refused")
        void expired() {
            Lease lease = acquire(LOCK, o -> o.lease(Duration.ofMillis(200)).withoutRenewal());
            acquire(LOCK).release();
            assertStale(
                    () -> checkWriteCommit(lease)); // its own engine may have given it up first: then it was "released"
        }
    }

    @Nested
    @DisplayName("the rightful holder")
    class Rightful {
        @Test
        @DisplayName("may check as often as it likes, in one transaction and in several")
        void again() throws SQLException {
            Lease lease = acquire(LOCK);
            checkWriteCommit(lease);
            try (Connection connection = checked(lease)) {
                FencedJdbc.check(connection, lease);
                write(connection, lease);
                connection.commit();
            }
            assertThat(journal()).hasSize(2);
        }

        @Test
        @DisplayName("of several locks and parts is checked for each")
        void several() throws SQLException {
            List<LockKey> keys =
                    List.of(LockKey.of("default", "b"), LockKey.of("default", "a"), LOCK.at("x"), LOCK.at("y/z"));
            Lease all = locksOf(keys);
            checkWriteCommit(all);
            assertThat(longs("select token from holdfast_fence where token > 0"))
                    .hasSize(4)
                    .hasSameElementsAs(
                            all.each().stream().map(FenceCases::token).toList());
            lose(all.each().get(1));
            assertThat(assertStale(() -> checkWriteCommit(all)).key()).isEqualTo(LockKey.of("default", "b"));
        }

        private Lease locksOf(List<LockKey> keys) {
            try {
                return locks.acquireAll(keys, FenceCases::alone);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Nested
    @DisplayName("parts of a lock")
    class Parts {
        @Test
        @DisplayName("the whole fences its parts")
        void wholeAfterPart() throws Exception {
            assertFences(LOCK.at("a/x"), LOCK);
            assertFences(LOCK.at("a/x"), LOCK.at("a"));
        }

        @Test
        @DisplayName("a part fences the whole")
        void partAfterWhole() throws Exception {
            assertFences(LOCK, LOCK.at("a/x"));
            assertFences(LOCK.at("a"), LOCK.at("a/x"));
        }

        private void assertFences(LockKey older, LockKey newer) throws Exception {
            Lease first = acquire(older);
            Connection open = checked(first);
            CompletableFuture<Void> next = async(() -> {
                lose(first);
                try (Lease second = acquire(newer)) {
                    checkWriteCommit(second);
                }
            });
            assertWaits(next);
            open.commit();
            Await.get(next);
            assertStale(() -> checkWriteCommit(first));
        }

        @Test
        @DisplayName("the whole is refused by the token a part wrote, and a part by that of the whole")
        void tokensOverlap() throws SQLException {
            assertRefusedByToken(
                    LockKey.of("default", "one"), LockKey.of("default", "one").at("a/x"));
            assertRefusedByToken(LockKey.of("default", "two").at("a/x"), LockKey.of("default", "two"));
            assertRefusedByToken(
                    LockKey.of("default", "three").at("a/x"),
                    LockKey.of("default", "three").at("a"));
        }

        private void assertRefusedByToken(LockKey older, LockKey newer) throws SQLException {
            Lease first = acquire(older);
            sql("drop table if exists backup", "create table backup as select * from holdfast_lock");
            lose(first);
            checkWriteCommit(acquire(newer));
            sql("delete from holdfast_lock", restore());
            assertThat(assertStale(() -> checkWriteCommit(first))).hasMessageContaining("a later holder wrote");
        }

        @Test
        @DisplayName("a neighbour's token is no reason to refuse")
        void neighboursTokens() throws SQLException {
            Lease first = acquire(LOCK.at("a"));
            checkWriteCommit(acquire(LOCK.at("a-b")));
            checkWriteCommit(acquire(LOCK.at("b")));
            checkWriteCommit(first);
            assertThat(journal()).hasSize(3);
        }
    }

    @Nested
    @DisplayName("shared holders and permits")
    class Shared {
        @Test
        @DisplayName("do not fence each other")
        void notEachOther() throws SQLException {
            for (Consumer<AcquireOptions> mode :
                    List.<Consumer<AcquireOptions>>of(AcquireOptions::shared, o -> o.permit(2))) {
                try (Lease first = acquire(LOCK, mode);
                        Lease second = acquire(LOCK, mode)) {
                    checkWriteCommit(second);
                    checkWriteCommit(first);
                }
            }
            assertThat(journal()).hasSize(4);
        }

        @Test
        @DisplayName("are fenced by a later exclusive holder")
        void byExclusive() throws SQLException {
            Lease first = acquire(LOCK, AcquireOptions::shared);
            Lease second = acquire(LOCK, AcquireOptions::shared);
            checkWriteCommit(first);
            lose(first);
            lose(second);
            checkWriteCommit(acquire(LOCK));
            assertStale(() -> checkWriteCommit(first));
            assertStale(() -> checkWriteCommit(second));
        }

        @Test
        @DisplayName("fence an earlier exclusive holder")
        void fenceExclusive() throws SQLException {
            Lease first = acquire(LOCK);
            lose(first);
            checkWriteCommit(acquire(LOCK, AcquireOptions::shared));
            assertStale(() -> checkWriteCommit(first));
        }

        @Test
        @DisplayName("and exclusive ones wait for each other's transactions, on equal, upper and lower parts")
        void waitForEachOther() throws Exception {
            for (String exclusive : List.of("", "a", "a/x")) {
                for (String shared : List.of("", "a", "a/x")) {
                    LockKey one = LockKey.of("default", "exclusive '" + exclusive + "' then shared '" + shared + "'");
                    LockKey two = LockKey.of("default", "shared '" + shared + "' then exclusive '" + exclusive + "'");
                    for (int time = 0;
                            time < 2;
                            time++) { // the first shared holder of a part goes another way than the rest
                        assertOrdered(one.at(exclusive), FenceCases::alone, one.at(shared), AcquireOptions::shared);
                        assertOrdered(two.at(shared), AcquireOptions::shared, two.at(exclusive), FenceCases::alone);
                    }
                }
            }
        }

        private void assertOrdered(
                LockKey older, Consumer<AcquireOptions> olderMode, LockKey newer, Consumer<AcquireOptions> newerMode)
                throws Exception {
            Lease first = acquire(older, olderMode);
            Connection open = checked(first);
            CompletableFuture<Void> next = async(() -> {
                lose(first);
                try (Lease second = acquire(newer, newerMode)) {
                    checkWriteCommit(second);
                }
            });
            assertWaits(next);
            open.commit();
            Await.get(next);
            assertStale(() -> checkWriteCommit(first));
        }
    }

    @Nested
    @DisplayName("refused at once")
    class Misuse {
        @Test
        @DisplayName("a connection that commits by itself")
        void autoCommit() throws SQLException {
            Lease lease = acquire(LOCK);
            try (Connection connection = connect()) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> FencedJdbc.check(connection, lease))
                        .withMessageContaining("setAutoCommit(false)");
            }
            assertThat(longs("select token from holdfast_fence")).isEmpty();
        }

        @Test
        @DisplayName("a database without our tables")
        void noTables() throws SQLException {
            Lease lease = acquire(LOCK);
            try (Connection connection = connectElsewhere()) {
                connection.setAutoCommit(false);
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> FencedJdbc.check(connection, lease))
                        .withMessageContainingAll("not in this database", "where the locks are", "FencedUpdate");
            }
        }

        @Test
        @DisplayName("a database with other locks")
        void otherLocks() throws Exception {
            try (LockClient elsewhere = LockClient.connect("memory:");
                    Lease lease = elsewhere.acquire("only-there")) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> checked(lease))
                        .withMessageContainingAll("'only-there'", "not where the locks are");
            }
        }
    }
}
