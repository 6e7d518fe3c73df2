package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.ConnectionSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Tells whether a pooler such as PgBouncer in transaction mode is between us and the server: whether one connection of ours
 * is sometimes this and sometimes that connection of the server's, or two of ours are the same one.
 *
 * <p>Nothing is kept open between the questions: a pooler with a single connection, or none to spare, still answers. Those
 * that lend what was returned last give both of ours the same one; those that lend in turn give the first, asked twice in a
 * row, two different ones.
 */
record PostgresPooler(ConnectionSource source) {
    /** The pooler's other clients may take a connection in between; they do not always. */
    private static final int TRIES = 5;

    boolean isThere() throws SQLException {
        try (Connection first = source.getConnection();
                Connection second = source.getConnection()) {
            int before = prepareThreshold(first, 0);
            prepareThreshold(second, 0);
            first.setAutoCommit(true);
            second.setAutoCommit(true);
            boolean shared = shares(first, second);
            prepareThreshold(first, before);
            prepareThreshold(second, before);
            return shared;
        }
    }

    private static boolean shares(Connection first, Connection second) throws SQLException {
        Set<Integer> firsts = new HashSet<>();
        Set<Integer> seconds = new HashSet<>();
        for (int i = 0; i < TRIES; i++) {
            firsts.add(backend(first));
            seconds.add(backend(second));
            firsts.add(backend(first));
            firsts.add(backend(first));
            if (firsts.size() > 1 || seconds.size() > 1 || !Collections.disjoint(firsts, seconds)) {
                return true;
            }
        }
        return false;
    }

    private static int backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /**
     * After how many uses the driver gives a statement a name on the server, and what it was before. With 0 it never does,
     * not even for its own commits: behind a pooler the name would be unknown, or taken, on the next connection.
     */
    static int prepareThreshold(Connection connection, int uses) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return uses;
        }
        PGConnection driver = connection.unwrap(PGConnection.class);
        int before = driver.getPrepareThreshold();
        driver.setPrepareThreshold(uses);
        return before;
    }
}
