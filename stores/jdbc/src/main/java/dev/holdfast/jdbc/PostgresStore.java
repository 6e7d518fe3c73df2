package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Locks in a PostgreSQL database, 14 or newer: the application's own, beside its tables.
 *
 * <pre>
 *   namespace = default          busy        = 1
 *   name      = nightly-report   owner       = web-3-4711
 *   stamp     = -41838…          token       = 1794783243123456
 *   fence     = 1794783243123456 acquired_at = 2026-11-15 22:54:03.123456+00
 *   format    = 1                expires_at  = 2026-11-15 22:54:33.123456+00
 *   body      = {"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711","mode":"exclusive",…}]}
 * </pre>
 *
 * <pre>
 *   read    select … where namespace = ? and name = ?
 *   write   one record: insert … on conflict … where idle, or update … where stamp = ?
 *           several: the same over unnest(…), in key order; events and notifications in the same statement
 *   clock   select clock_timestamp()
 * </pre>
 *
 * <p>The server's clock counts. Waiters in other processes are woken with LISTEN/NOTIFY; behind a pooler in transaction mode
 * they poll. The store uses connections of its own, never the caller's transaction: one for reading and writing and one that listens,
 * which stay; under load three more for reading and writing and one for listing, which are given back after ten seconds without use.
 */
public final class PostgresStore {
    private static final String NOW = "clock_timestamp()";

    private PostgresStore() {}

    /**
     * Opens the database with this URL, {@code postgresql://user:password@host:port/database?parameters} or
     * {@code jdbc:postgresql:…}, creating the tables if they are missing. Parameters are the driver's, such as
     * {@code sslmode} and {@code currentSchema}.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(String url, PostgresConfig config) {
        return open(source(url, config), DatabaseUrl.of(url, "postgresql").shown(), config, NOW);
    }

    /**
     * Opens the database of this source, creating the tables if they are missing. The store keeps a few connections until
     * it is closed, and gives them back as they were.
     *
     * @throws StoreException saying what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(DataSource source, PostgresConfig config) {
        return open(source, "the PostgreSQL database of the given DataSource", config, NOW);
    }

    static RecordStore open(DataSource source, String place, PostgresConfig config, String nowSql) {
        PostgresFailures failures = new PostgresFailures(place);
        ServerClock clock = new ServerClock(config.time(), nowSql, row -> PostgresTime.COLUMN.get(row, 1));
        PostgresConnections connections = new PostgresConnections(source, config, nowSql, clock.measured());
        try {
            connections.look();
            Session plain = connections.plain();
            try {
                new PostgresSchema(place).ensure(plain);
                boolean listens = !connections.pooled() && plain.connection().isWrapperFor(PGConnection.class);
                String channel = channel(PostgresConnections.schema(plain));
                PostgresBatch batch = new PostgresBatch(connections, channel, nowSql, failures::of);
                PostgresDialect dialect = new PostgresDialect(connections, failures, batch, clock, listens);
                return dialect.open(
                        listens ? Optional.of(new PostgresListener(connections, channel)) : Optional.empty());
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.opening(e);
        }
    }

    /** Stores of several schemas in one database do not wake each other. */
    private static String channel(String schema) {
        return "holdfast_" + Long.toHexString(schema.hashCode() * 0x9E3779B97F4A7C15L ^ schema.length());
    }

    /** Connections by URL: what a pool would do is done by the lanes. */
    static DataSource source(String url, PostgresConfig config) {
        DatabaseUrl database = DatabaseUrl.of(url, "postgresql");
        Properties properties = new Properties();
        String within = Long.toString(Math.max(1, config.connectTimeout().toSeconds()));
        properties.setProperty("connectTimeout", within);
        properties.setProperty("loginTimeout", within); // a server that accepts may still say nothing
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "holdfast");
        if (database.hasSeveralHosts()) {
            properties.setProperty("targetServerType", "primary"); // of several servers; a single one is judged by us
        }
        properties.putAll(database.properties());
        return new UrlSource(() -> DriverManager.getConnection(database.jdbc(), properties));
    }

    /**
     * Takes away the tables and views, with all locks and their history; other things of the same names stay.
     *
     * @throws StoreException if they are not ours, or cannot be removed; nothing was changed then
     */
    public static void drop(String url, PostgresConfig config) {
        drop(source(url, config), DatabaseUrl.of(url, "postgresql").shown(), config);
    }

    /** The same in the database of this source. */
    public static void drop(DataSource source, PostgresConfig config) {
        drop(source, "the PostgreSQL database of the given DataSource", config);
    }

    private static void drop(DataSource source, String place, PostgresConfig config) {
        onTables(source, place, config, "removing the tables", (schema, session) -> {
            schema.drop(session);
            return true;
        });
    }

    /**
     * Makes anew what is missing of the tables, views and indexes.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws StoreException if what is there is not ours, or cannot be repaired
     */
    public static List<String> repair(String url, PostgresConfig config) {
        String place = DatabaseUrl.of(url, "postgresql").shown();
        return onTables(source(url, config), place, config, "repairing the tables", PostgresSchema::repair);
    }

    /** The names of our views that a table or view of somebody else has. */
    static List<String> hiddenViews(String url, PostgresConfig config) {
        String place = DatabaseUrl.of(url, "postgresql").shown();
        return onTables(source(url, config), place, config, "looking at the views", PostgresSchema::hidden);
    }

    /** What is done to the tables. */
    private interface SchemaWork<T> {
        T run(PostgresSchema schema, Session session) throws SQLException;
    }

    private static <T> T onTables(
            DataSource source, String place, PostgresConfig config, String doing, SchemaWork<T> work) {
        PostgresFailures failures = new PostgresFailures(place);
        ServerClock clock = new ServerClock(config.time(), NOW, row -> PostgresTime.COLUMN.get(row, 1));
        try {
            Session plain = new PostgresConnections(source, config, NOW, clock.measured()).plain();
            try {
                return work.run(new PostgresSchema(place), plain);
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.of(doing, e);
        }
    }

    /** The statements that create what is kept in the database, for those who want to read or run them. */
    public static String schemaSql() {
        return SqlScript.text("postgresql-schema.sql");
    }

    /** The statements that remove it all. */
    public static String dropSql() {
        return SqlScript.text("postgresql-drop.sql");
    }
}
