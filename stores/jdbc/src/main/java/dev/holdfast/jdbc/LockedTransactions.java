package dev.holdfast.jdbc;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions under a lock, in the order in which the next holder sees what this one wrote: take the lock, begin, work, make sure that the
 * lease is valid, commit, release.
 *
 * <pre>{@code
 * LockedTransactions transactions = LockedTransactions.of(locks, source);
 * transactions.execute("account-4711", (connection, lease) -> {
 *     FencedJdbc.check(connection, lease);     // if the locks are in this database: a pause before the commit does no harm either
 *     accounts.withdraw(connection, 4711, amount);
 * });
 * }</pre>
 *
 * <p>An exception means that nothing was committed, with one exception: if the database fails while it commits, what it throws says as much
 * as it knows, and the commit may still happen after the lock is released: {@link FencedJdbc#check} makes the next holder wait for it. The lock
 * is asked for before a connection is, so nobody keeps a connection while waiting.
 *
 * <p>The locks may be in another database, or behind a server: then a process that is paused between the last look at its lease and the commit
 * is stopped by nobody but {@link FencedUpdate}. Safe for any thread.
 */
public final class LockedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(LockedTransactions.class);

    private final LockClient locks;
    private final DataSource source;

    private LockedTransactions(LockClient locks, DataSource source) {
        this.locks = locks;
        this.source = source;
    }

    /** Transactions on connections of this source, under locks of this client. Neither is closed. */
    public static LockedTransactions of(LockClient locks, DataSource source) {
        return new LockedTransactions(locks, source);
    }

    /** Works in a transaction under the lock, waiting for it up to 30 s; see {@link #run(LockKey, Consumer, Work)}. */
    public <T extends @Nullable Object, X extends Exception> T run(String name, Work<T, X> work)
            throws X, SQLException, InterruptedException {
        return run(locks.key(name), o -> {}, work);
    }

    /**
     * Works in a transaction under the lock, waiting for the lock as long as the options say (30 s by default).
     *
     * @return the work's value, after the commit
     * @throws dev.holdfast.LockBusyException if the lock was not free in time; nothing was run
     * @throws dev.holdfast.LeaseLostException if the lease was lost before the commit: rolled back
     * @throws X what the work throws: rolled back
     * @throws SQLException what the database says
     */
    public <T extends @Nullable Object, X extends Exception> T run(
            LockKey key, Consumer<AcquireOptions> options, Work<T, X> work)
            throws X, SQLException, InterruptedException {
        try (Lease lease = locks.acquire(key, options)) {
            return run(lease, work);
        }
    }

    /** Works in a transaction under a lease that is already held, as of several locks, and stays so. */
    public <T extends @Nullable Object, X extends Exception> T run(Lease lease, Work<T, X> work)
            throws X, SQLException {
        Connection connection = source.getConnection();
        boolean alone = false; // whether each statement is a transaction, as the source gave it
        boolean over = false;
        try {
            alone = connection.getAutoCommit();
            connection.setAutoCommit(false);
            T value = work.run(connection, lease);
            lease.ensureValid();
            connection.commit();
            over = true;
            return value;
        } catch (Throwable e) {
            over = rolledBack(connection, e);
            throw e;
        } finally {
            giveBack(connection, over && alone);
        }
    }

    /** Works in a transaction under the lock, waiting for it up to 30 s; like {@link #run(LockKey, Consumer, Work)}, without a value. */
    public <X extends Exception> void execute(String name, Task<X> task) throws X, SQLException, InterruptedException {
        execute(locks.key(name), o -> {}, task);
    }

    /** Works in a transaction under the lock; like {@link #run(LockKey, Consumer, Work)}, without a value. */
    public <X extends Exception> void execute(LockKey key, Consumer<AcquireOptions> options, Task<X> task)
            throws X, SQLException, InterruptedException {
        try (Lease lease = locks.acquire(key, options)) {
            execute(lease, task);
        }
    }

    /** Works in a transaction under a lease that is already held, and stays so; without a value. */
    public <X extends Exception> void execute(Lease lease, Task<X> task) throws X, SQLException {
        boolean unused = run(lease, (connection, same) -> {
            task.run(connection, same);
            return true;
        });
    }

    private static boolean rolledBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    /** What happens here changes nothing about the transaction any more, so it is not thrown: whoever catches it might work again. */
    private static void giveBack(Connection connection, boolean aloneAgain) {
        try (connection) {
            if (aloneAgain) { // never in an open transaction: that would commit it
                connection.setAutoCommit(true);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("A connection could not be given back after its transaction: {}", e.getMessage());
        }
    }

    /**
     * What is done in a transaction, with a value. It neither commits nor rolls back nor closes the connection.
     *
     * @param <T> the value
     * @param <X> what it may throw besides
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        T run(Connection connection, Lease lease) throws X, SQLException;
    }

    /**
     * What is done in a transaction, without a value. It neither commits nor rolls back nor closes the connection.
     *
     * @param <X> what it may throw besides
     */
    @FunctionalInterface
    public interface Task<X extends Exception> {
        void run(Connection connection, Lease lease) throws X, SQLException;
    }
}
