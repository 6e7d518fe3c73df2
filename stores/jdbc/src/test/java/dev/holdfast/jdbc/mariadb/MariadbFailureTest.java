package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static dev.holdfast.jdbc.Locks.stamped;
import static dev.holdfast.jdbc.Locks.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
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
import dev.holdfast.testkit.servers.MariadbServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("when a MariaDB server fails")
class MariadbFailureTest {
    private String database = "";

    @BeforeEach
    void newDatabase() {
        database = Mariadb.server().freshDatabase();
    }

    private String url() {
        return Mariadb.server().url(database);
    }

    private RecordStore open() {
        return MariadbStore.open(url(), MariadbConfig.DEFAULT);
    }

    private static <E extends StoreException> void assertRefused(Class<E> type, String url, String... said) {
        assertThatExceptionOfType(type)
                .isThrownBy(() -> MariadbStore.open(url, MariadbConfig.DEFAULT))
                .withMessageContainingAll(said);
    }

    // ---- at the start

    @Test
    @DisplayName("a server that is down is unavailable, by its address")
    void downAtTheStart() {
        CuttableLine line = new CuttableLine(Mariadb.server().port());
        line.close();
        assertRefused(
                StoreUnavailableException.class,
                MariadbServer.url(line.port(), database),
                "Cannot use",
                ":" + line.port() + "/" + database,
                "check that the server runs");
    }

    @Test
    @DisplayName("a server that accepts and says nothing is unavailable, in time")
    void silentAtTheStart() {
        try (CuttableLine line = new CuttableLine(Mariadb.server().port())) {
            line.freeze();
            MariadbConfig hasty = MariadbConfig.DEFAULT.withStatementTimeout(Duration.ofMillis(200));
            long start = System.nanoTime();
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> MariadbStore.open(MariadbServer.url(line.port(), database), hasty));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
        }
    }

    @Test
    @DisplayName("a wrong password is told, but not shown")
    void wrongPassword() {
        Mariadb.server().sql(database, "create user somebody@'127.0.0.1' identified by 'right'");
        for (String url : List.of(
                url().replace("root@", "somebody:wr0ng@"),
                "jdbc:" + url().replace("root@", "") + "?user=somebody&password=wr0ng")) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> MariadbStore.open(url, MariadbConfig.DEFAULT))
                    .withMessageContainingAll("refuses the login", "somebody", "check user, password")
                    .satisfies(e -> assertThat(stack(e)).doesNotContain("wr0ng"));
        }
        Mariadb.server().sql(database, "drop user somebody@'127.0.0.1'");
    }

    private static String stack(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    @DisplayName("an unknown database is refused by name")
    void unknownDatabase() {
        assertRefused(
                StoreUnusableException.class,
                url().replace(database, "nowhere"),
                "There is no such database",
                "nowhere",
                "create it");
    }

    @Test
    @DisplayName("a connection without a database is refused")
    void noDatabase() {
        assertRefused(
                StoreUnusableException.class,
                "jdbc:mariadb://127.0.0.1:" + Mariadb.server().port() + "/?user=root",
                "names no database");
    }

    // ---- in use

    @Test
    @DisplayName(
            "a read-only server is refused at the start and in use, with the way out; it goes on when that is over")
    void readOnly() {
        try (RecordStore store = open()) {
            LockRecord first = put(store, held(key("a")));
            Mariadb.server().sql(database, "set global read_only = on", "flush tables");
            try {
                assertRefused(StoreUnavailableException.class, url(), "read-only", "connect to the primary");
            } finally {
                Mariadb.server().sql(database, "set global read_only = off");
            }
            assertThat(write(store, stamped(first, held(key("a"))))).isInstanceOf(WriteResult.Applied.class);
        }
    }

    @Test
    @DisplayName("tables that somebody dropped are missing, not empty")
    void tablesGone() {
        try (RecordStore store = open()) {
            Mariadb.server().sql(database, "drop table holdfast_lock");
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> Await.get(store.read(key("a"))))
                    .withMessageContainingAll("missing or changed", "restore a backup");
        }
    }

    @Test
    @DisplayName(
            "a row that somebody's transaction has locked fails by itself; the others of its batch and later ones go on")
    void lockedRow() throws SQLException {
        try (RecordStore store = open();
                Connection other = Mariadb.server().connect(database);
                Statement statement = other.createStatement()) {
            LockRecord a = put(store, held(key("a")));
            LockRecord b = put(store, held(key("b")));
            LockRecord c = put(store, held(key("c")));
            other.setAutoCommit(false);
            statement.execute("select * from holdfast_lock where namespace = 'default' and name = 'b' for update");
            LockRecord a2 = held(key("a"));
            LockRecord c2 = held(key("c"));
            List<WriteResult> results =
                    Await.get(store.write(List.of(stamped(c, c2), stamped(b, held(key("b"))), stamped(a, a2))));
            assertThat(results.get(0)).isInstanceOf(WriteResult.Applied.class);
            assertThat(results.get(1))
                    .isInstanceOfSatisfying(
                            WriteResult.Failed.class,
                            failed -> assertThat(failed.why())
                                    .isInstanceOf(StoreUnavailableException.class)
                                    .hasMessageContainingAll("locked", "innodb_trx"));
            assertThat(results.get(2)).isInstanceOf(WriteResult.Applied.class);

            long start = System.nanoTime();
            LockRecord a3 = held(key("a"));
            List<WriteResult> again = Await.get(store.write(List.of(stamped(b, held(key("b"))), stamped(a2, a3))));
            assertThat(again.get(0)).isInstanceOf(WriteResult.Failed.class);
            assertThat(again.get(1)).isInstanceOf(WriteResult.Applied.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("known as locked, it is not waited for")
                    .isLessThan(Duration.ofMillis(900));
            assertThat(read(store, key("b")).stamp())
                    .as("reading does not wait")
                    .isEqualTo(b.stamp());

            other.rollback();
            assertThat(write(store, stamped(b, held(key("b"))))).isInstanceOf(WriteResult.Applied.class);
        }
    }

    @Test
    @DisplayName("a row that cannot be read fails by itself")
    void damagedRow() {
        try (RecordStore store = open()) {
            put(store, held(key("bad")));
            Mariadb.server().sql(database, "update holdfast_lock set body = 'garbage{' where name = 'bad'");
            List<WriteResult> results =
                    Await.get(store.write(List.of(Locks.absent(held(key("bad"))), Locks.absent(held(key("good"))))));
            assertThat(results.get(0))
                    .isInstanceOfSatisfying(
                            WriteResult.Failed.class,
                            failed -> assertThat(failed.why()).isInstanceOf(StoreUnusableException.class));
            assertThat(results.get(1)).isInstanceOf(WriteResult.Applied.class);
        }
    }

    @Test
    @DisplayName("rows that two insert at the same moment get one winner each, and nobody fails")
    void insertedAtOnce() {
        try (RecordStore one = open();
                RecordStore two = open()) {
            for (int round = 0; round < 20; round++) {
                List<Write> mine = fresh(round);
                List<Write> theirs = fresh(round);
                CompletableFuture<List<WriteResult>> other =
                        CompletableFuture.supplyAsync(() -> Await.get(two.write(theirs)));
                List<WriteResult> results = Await.get(one.write(mine));
                List<WriteResult> others = Await.get(other);
                for (int i = 0; i < mine.size(); i++) {
                    assertThat(List.of(results.get(i), others.get(i)))
                            .as("%s", mine.get(i).key())
                            .satisfiesOnlyOnce(r -> assertThat(r).isInstanceOf(WriteResult.Applied.class))
                            .satisfiesOnlyOnce(r -> assertThat(r).isInstanceOf(WriteResult.Refused.class));
                }
            }
        }
    }

    private static List<Write> fresh(int round) {
        return IntStream.range(0, 10)
                .mapToObj(i -> Locks.absent(held(key("lock-" + round + "-" + i))))
                .toList();
    }

    // ---- cut off, in real time

    @Test
    @DisplayName(
            "a holder that is cut off is told once that its lock is lost; all goes on by itself when the line is back")
    void cutWhileHolding() throws Exception {
        try (CuttableLine line = new CuttableLine(Mariadb.server().port());
                LockClient client = LockClient.connect(MariadbServer.url(line.port(), database));
                LockClient other = LockClient.connect(url())) {
            Lease lease = client.acquire("a", o -> o.lease(Duration.ofSeconds(2)));
            List<LostReason> lost = new CopyOnWriteArrayList<>();
            lease.onLost(lost::add);
            line.cut();
            Await.until("it was told", () -> !lost.isEmpty());
            assertThat(lease.isValid()).isFalse();
            Lease next = other.acquire("a", o -> o.waitUpTo(Duration.ofSeconds(10)));
            assertThat(next.token()).isGreaterThan(lease.token());
            line.heal();
            assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Done.class);
            assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE);
        }
    }

    @Test
    @DisplayName("a waiter of another process is served soon after the release, by looking")
    void waiterPolls() throws Exception {
        try (LockClient one = LockClient.connect(url());
                LockClient two = LockClient.connect(url())) {
            Lease held = one.acquire("a");
            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> acquire(two));
            Await.until("it waits", () -> waits());
            held.release();
            assertThat(Await.get(waiting).isValid()).isTrue();
        }
    }

    private static Lease acquire(LockClient client) {
        try {
            return client.acquire("a", o -> o.waitUpTo(Duration.ofSeconds(15)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean waits() {
        try {
            return Mariadb.query(database, "select body from holdfast_lock")
                    .get(0)
                    .contains("queue");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
