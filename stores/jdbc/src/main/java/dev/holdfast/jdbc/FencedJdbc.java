package dev.holdfast.jdbc;

import dev.holdfast.Lease;
import dev.holdfast.jdbc.fence.FenceCheck;
import dev.holdfast.jdbc.fence.FenceDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/**
 * Lets a transaction commit only in the order of tokens, in the database where the locks are.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * FencedJdbc.check(connection, lease);
 * orders.update(connection, ...);
 * connection.commit();
 * }</pre>
 *
 * <p>For tables in another database, see {@link FencedUpdate} and {@link FenceDdl}.
 */
public final class FencedJdbc {
    private FencedJdbc() {}

    /**
     * Ties the caller's open transaction to the lease, until it ends.
     *
     * <p>After this returns, no transaction of an earlier holder commits any more that has not committed already, and the check
     * of every later holder waits until this transaction has ended. A lease that has ended, or that somebody has followed, is
     * refused, even if the later holder has not written yet. Holders count as earlier and later if their parts of the lock
     * overlap and one of them is exclusive; neighbours, and holders who share, do not touch each other. All of it binds
     * only transactions that check.
     *
     * <p>The lock itself is only read: it is renewed, released and granted to others while the transaction is open. (SQLite has
     * one writer for the whole file: there every lock waits for the transaction, as it does for any that writes.)
     *
     * <p>Call it before the first statement that writes. Rolling back to a savepoint set before the check undoes the check. A
     * lease of several locks checks each, in the order of their keys.
     *
     * @throws StaleLeaseException if the lease has ended or a later holder has written: roll back
     * @throws IllegalStateException if the connection commits by itself, has an isolation level under which the present is not
     *     seen, or is not to the database where the locks are
     * @throws SQLException what the database says, such as a timeout while waiting for an earlier holder's transaction; roll back
     */
    public static void check(Connection connection, Lease lease) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("FencedJdbc.check belongs in the transaction it guards, and this connection"
                    + " commits by itself; call setAutoCommit(false), check, write, then commit");
        }
        FenceDialect dialect = FenceDialect.of(connection);
        dialect.checkIsolation(connection);
        List<Lease> inOrder =
                lease.each().stream().sorted(Comparator.comparing(Lease::key)).toList();
        for (Lease one : inOrder) {
            try {
                new FenceCheck(connection, dialect, one).run().ifPresent(stale -> {
                    throw new StaleLeaseException(stale);
                });
            } catch (SQLException e) {
                if (dialect.isMissingTable(e)) {
                    throw elsewhere(one, e);
                }
                throw e;
            }
        }
    }

    private static IllegalStateException elsewhere(Lease lease, SQLException e) {
        return new IllegalStateException(
                "Holdfast's tables are not in this database, or not in the schema this connection uses ("
                        + e.getMessage() + "). To check lock " + lease.key()
                        + ", connect to where the locks are; for tables elsewhere use FencedUpdate",
                e);
    }
}
