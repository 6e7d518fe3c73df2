package dev.holdfast.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Tells whether a pooler such as PgBouncer in transaction mode is between us and the server: whether one connection of ours
 * is sometimes this and sometimes that connection of the server's.
 *
 * <p>Two transactions are open at once, so the pooler has to use two connections, and they end in turn. A pooler gives the
 * next transaction the connection that was returned last, so the one that returned first now finds itself on the other's.
 */
final class PostgresPooler {
    /** The pooler's other clients may take a connection in between; they do not always. */
    private static final int TRIES = 3;

    private final DataSource source;

    PostgresPooler(DataSource source) {
        this.source = source;
    }

    boolean isThere() throws SQLException {
        try (Connection first = source.getConnection();
                Connection second = source.getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            for (int i = 0; i < TRIES; i++) {
                int before = backend(first);
                int other = backend(second);
                first.commit();
                second.commit();
                int after = backend(first);
                first.commit();
                if (before != after || before == other) {
                    return true;
                }
            }
            return false;
        }
    }

    private static int backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
