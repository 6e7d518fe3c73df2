package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two processes count in one row: each reads it and writes one more. The lock keeps them apart only if it is held until the commit.
 */
abstract class TransactionCases {
    private static final LockKey COUNTER = LockKey.of("shop", "counter");

    private LockClient one = LockClient.connect("memory:");
    private LockClient two = one;
    private LockedTransactions transactions = LockedTransactions.of(one, new Source());

    /** Another store of the same locks. */
    abstract RecordStore open();

    /** A connection to the database that counts. */
    abstract Connection connect() throws SQLException;

    @BeforeEach
    void start() throws SQLException {
        one.close();
        one = LockClient.on(open(), ClientConfig.DEFAULT.withOwner("one"));
        two = LockClient.on(open(), ClientConfig.DEFAULT.withOwner("two"));
        transactions = LockedTransactions.of(one, new Source());
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table counter (n bigint not null)");
            statement.execute("insert into counter values (0)");
        }
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    // ---- the wrong order, and two right ones

    @Test
    @DisplayName("a lock that is released before the commit loses a count")
    void releasedTooEarly() throws Exception {
        try (Connection first = connect();
                Connection second = connect()) {
            first.setAutoCommit(false);
            try (Lease lease = one.acquire(COUNTER)) {
                write(first, read(first) + 1);
            } // released here: the mistake
            try (Lease lease = two.acquire(COUNTER)) { // granted, though the first has not committed
                long old = read(second);
                first.commit();
                write(second, old + 1);
            }
        }
        assertThat(count()).as("two have counted").isEqualTo(1);
    }

    @Test
    @DisplayName("with the transaction inside the lock, the next one reads what the last one wrote")
    void transactionInside() throws Exception {
        transactions.execute(COUNTER, o -> {}, (connection, lease) -> {
            write(connection, read(connection) + 1);
            assertThat(isFree()).as("free before the commit").isFalse();
        });
        LockedTransactions.of(two, new Source())
                .execute(COUNTER, o -> {}, (connection, lease) -> write(connection, read(connection) + 1));
        assertThat(count()).isEqualTo(2);
    }

    @Test
    @DisplayName("with the release left to the transaction, the next one reads what the last one wrote")
    void releaseLeft() throws Exception {
        try (Connection first = connect();
                Connection second = connect()) {
            first.setAutoCommit(false);
            CompletableFuture<Runnable> afterEnd = new CompletableFuture<>();
            try (Lease lease = one.acquire(COUNTER)) {
                lease.releaseAfter((beforeCommit, after) -> afterEnd.complete(after));
                write(first, read(first) + 1);
            } // not released here
            assertThat(isFree()).as("free before the commit").isFalse();
            first.commit();
            afterEnd.join().run();
            try (Lease lease = two.acquire(COUNTER)) {
                write(second, read(second) + 1);
            }
        }
        assertThat(count()).isEqualTo(2);
    }

    @Test
    @DisplayName("many at once lose no count")
    void many() {
        int each = 15;
        List<CompletableFuture<Void>> workers = List.of(counting(one, each), counting(one, each), counting(two, each));
        workers.forEach(Await::get);
        assertThat(count()).isEqualTo(3L * each);
    }

    private CompletableFuture<Void> counting(LockClient locks, int times) {
        LockedTransactions own = LockedTransactions.of(locks, new Source());
        return CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < times; i++) {
                    own.execute(
                            COUNTER,
                            o -> o.waitUpTo(Await.LIMIT),
                            (connection, lease) -> write(connection, read(connection) + 1));
                }
            } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    // ---- what goes wrong inside

    @Test
    @DisplayName("a transaction whose lease was lost is rolled back, and says so")
    void lost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> transactions.execute(
                        COUNTER, o -> o.lease(Duration.ofMillis(100)).withoutRenewal(), (connection, lease) -> {
                            write(connection, 7);
                            Await.until("the lease is over", () -> !lease.isValid());
                        }));
        assertThat(count()).isZero();
    }

    @Test
    @DisplayName("what the work throws comes out as it is; the transaction is rolled back and the lock released")
    void failed() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> transactions.run(COUNTER, o -> {}, (connection, lease) -> {
                    write(connection, 7);
                    throw new IOException("no paper");
                }))
                .withMessage("no paper")
                .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        assertThat(count()).isZero();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a connection that is gone does not hide what went wrong")
    void brokenConnection() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> transactions.run(COUNTER, o -> {}, (connection, lease) -> {
                    write(connection, 7);
                    connection.close();
                    throw new IOException("no paper");
                }))
                .withMessage("no paper")
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(SQLException.class));
        assertThat(count()).isZero();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("who does not get the lock needs no connection")
    void busy() throws Exception {
        Source source = new Source();
        try (Lease lease = two.acquire(COUNTER)) {
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> LockedTransactions.of(one, source)
                            .run(COUNTER, o -> o.waitUpTo(Duration.ZERO), (connection, same) -> read(connection)));
        }
        assertThat(source.given).hasValue(0);
    }

    @Test
    @DisplayName("several transactions may run under one lease, which stays held")
    void underOneLease() throws Exception {
        try (Lease lease = one.acquireAll(List.of(COUNTER, LockKey.of("shop", "other")))) {
            transactions.execute(lease, (connection, same) -> write(connection, 5));
            long seen = transactions.run(lease, (connection, same) -> read(connection));
            assertThat(seen).isEqualTo(5);
            assertThat(isFree()).isFalse();
        }
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a pooled connection comes back as it was given, after a commit and after a rollback")
    void pooled() throws Exception {
        try (Connection pooled = connect()) {
            LockedTransactions own = LockedTransactions.of(one, new Source() {
                @Override
                public Connection getConnection() {
                    return unclosed(pooled);
                }
            });
            own.execute("counter", (connection, lease) -> write(connection, 3));
            assertThat(pooled.getAutoCommit()).isTrue();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> own.execute("counter", (connection, lease) -> {
                        write(connection, 7);
                        throw new IOException("no paper");
                    }));
            assertThat(pooled.getAutoCommit()).isTrue();
        }
        assertThat(count()).isEqualTo(3);
    }

    // ---- what they do

    private static long read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select n from counter")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void write(Connection connection, long n) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update counter set n = ?")) {
            update.setLong(1, n);
            update.executeUpdate();
        }
    }

    private long count() {
        try (Connection connection = connect()) {
            return read(connection);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the other process would get the lock just now. */
    private boolean isFree() {
        try {
            Attempt<Lease> attempt = two.tryAcquire(COUNTER);
            attempt.ifDone(Lease::close);
            return attempt.isDone();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Closing it only gives it back to the pool. */
    private static Connection unclosed(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                TransactionCases.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The application's connections. */
    private class Source implements DataSource {
        final AtomicInteger given = new AtomicInteger();

        @Override
        public Connection getConnection() throws SQLException {
            given.incrementAndGet();
            return connect();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public PrintWriter getLogWriter() throws SQLException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public void setLogWriter(PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
