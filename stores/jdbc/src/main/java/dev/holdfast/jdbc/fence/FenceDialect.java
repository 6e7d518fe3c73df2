package dev.holdfast.jdbc.fence;

import dev.holdfast.jdbc.table.FencedTokenRows;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.RecordKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** How transactions that check their lease wait for each other, by database. */
public enum FenceDialect {
    /** One writer at a time is order enough. */
    SQLITE(FencedTokenRows.RAISE) {
        /** A transaction that begins by reading could not write any more once another has written. */
        @Override
        void begin(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("update holdfast_fence set token = token where 1 = 0");
            }
        }

        /** The time of the last write: later than that, only the processes that share the file know. */
        @Override
        String micros() {
            return "(select cast(strftime('%s', substr(value, 1, 19)) as integer) * 1000000 + cast(substr(value, 21, 6) as integer)"
                    + " from holdfast_meta where key = 'time')";
        }

        @Override
        boolean locks() {
            return false;
        }

        @Override
        void lock(Connection connection, RecordKey key, SortedMap<String, Boolean> paths) {}

        @Override
        public void checkIsolation(Connection connection) {}

        @Override
        public boolean isMissingTable(SQLException e) {
            return e.getErrorCode() == SQLITE_ERROR
                    && String.valueOf(e.getMessage()).contains("no such table");
        }
    },

    /**
     * Advisory locks of the transaction. A row would have to be created first, and whoever creates it keeps all others
     * waiting until the end of its transaction.
     */
    POSTGRESQL(SQLITE.raise) {
        // The table's own number keeps the locks of other schemas apart.
        private static final String NUMBER =
                "(hashtextextended(? collate \"C\", 'holdfast_fence'::regclass::oid::bigint))";

        @Override
        void lock(Connection connection, RecordKey key, SortedMap<String, Boolean> paths) throws SQLException {
            if (paths.isEmpty()) {
                return;
            }
            String calls = paths.values().stream()
                    .map(alone -> (alone ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared") + NUMBER)
                    .collect(Collectors.joining(", ", "select ", "")); // taken from left to right
            try (PreparedStatement statement = connection.prepareStatement(calls)) {
                int i = 1;
                for (String path : paths.keySet()) {
                    statement.setString(i++, key.namespace() + '\n' + key.name() + '\n' + path);
                }
                statement.executeQuery().close();
            }
        }

        @Override
        String micros() {
            return "(extract(epoch from clock_timestamp()) * 1000000)::bigint";
        }

        @Override
        public boolean isMissingTable(SQLException e) {
            return "42P01".equals(e.getSQLState());
        }
    },

    /** MariaDB and MySQL: row locks. Who creates a row keeps others waiting until its transaction ends, once. */
    MARIADB(FencedTokenRows.RAISE_MARIADB) {
        private static final String SHARE = "select token from holdfast_fence"
                + " where namespace = ? and name = ? and path = ? lock in share mode";
        private static final String CREATE =
                "insert ignore into holdfast_fence (namespace, name, path, token) values (?, ?, ?, 0)";
        private static final String ALONE = "insert into holdfast_fence (namespace, name, path, token)"
                + " values (?, ?, ?, 0) on duplicate key update token = token";

        @Override
        void lock(Connection connection, RecordKey key, SortedMap<String, Boolean> paths) throws SQLException {
            for (Map.Entry<String, Boolean> path : paths.entrySet()) {
                if (path.getValue()) {
                    run(connection, ALONE, key, path.getKey());
                } else if (!run(connection, SHARE, key, path.getKey())) {
                    run(connection, CREATE, key, path.getKey());
                    run(connection, SHARE, key, path.getKey());
                }
            }
        }

        /** Whether the statement found a row. */
        private boolean run(Connection connection, String sql, RecordKey key, String path) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                LockRows.setKey(statement, 1, key);
                statement.setString(3, path);
                if (!statement.execute()) {
                    return false;
                }
                try (ResultSet row = statement.getResultSet()) {
                    return row.next();
                }
            }
        }

        @Override
        String micros() {
            return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
        }

        @Override
        public boolean isMissingTable(SQLException e) {
            return "42S02".equals(e.getSQLState());
        }
    };

    private static final int SQLITE_ERROR = 1;

    private final String raise;

    FenceDialect(String raise) {
        this.raise = raise;
    }

    public static FenceDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "sqlite" -> SQLITE;
            case "postgresql" -> POSTGRESQL;
            case "mariadb", "mysql" -> MARIADB;
            default ->
                throw new IllegalStateException("Locks are kept in SQLite, PostgreSQL, MariaDB or MySQL, and this is"
                        + " a connection to " + product + "; for tables there use FencedUpdate");
        };
    }

    /** Makes the transaction one that writes, where that has to be said first. */
    void begin(Connection connection) throws SQLException {}

    /** Whether transactions of different locks run side by side here, so that those of one lock need {@link #lock}. */
    boolean locks() {
        return true;
    }

    /** Locks these in their order until the transaction ends: true alone, false with others who do not ask for it alone. */
    abstract void lock(Connection connection, RecordKey key, SortedMap<String, Boolean> paths) throws SQLException;

    /** Makes or raises a row (namespace, name, path, token); never lowers it. */
    String raise() {
        return raise;
    }

    /** The time by which leases end here, in microseconds since 1970. */
    abstract String micros();

    public abstract boolean isMissingTable(SQLException e);

    /** Refuses transactions that go on seeing the lock as it was when they began. */
    public void checkIsolation(Connection connection) throws SQLException {
        if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            throw new IllegalStateException(
                    "FencedJdbc.check needs the isolation level READ COMMITTED: under any other, this"
                            + " transaction would not see that its lock changed hands. Before it begins, call"
                            + " setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED)");
        }
    }
}
