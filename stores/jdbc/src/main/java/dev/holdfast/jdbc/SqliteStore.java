package dev.holdfast.jdbc;

import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Locks in an SQLite file of this machine. The default store: nothing to install, one fsync per batch of writes, and
 * readable with any {@code sqlite3} shell while in use.
 *
 * <pre>
 *   namespace = default          busy        = 1
 *   name      = nightly-report   owner       = web-3-4711
 *   stamp     = -41838…          token       = 1794783243123456
 *   fence     = 1794783243123456 acquired_at = 2026-11-15 22:54:03.123456
 *   format    = 1                expires_at  = 2026-11-15 22:54:33.123456
 *   body      = {"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711","mode":"exclusive",…}]}
 * </pre>
 *
 * <p>Opened <em>exclusively</em> (a server), the process's own clock counts, going on where it stopped: after a restart a
 * lease has what was left of it at the last stored time. Otherwise the machine's <em>monotonic clock</em> counts, which is the same
 * for all processes on Linux; elsewhere the wall clock, which never goes back and is watched for steps. Not for network drives:
 * neither file locks nor shared memory work there.
 */
public final class SqliteStore {
    private SqliteStore() {}

    /**
     * Opens the file, creating it and its tables if they are missing, and its directory if that alone is missing.
     *
     * @throws StoreException saying which file, what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(Path file, SqliteConfig config) {
        // Only the machine's own clocks are known to be the same for all its processes.
        return open(file, config, config.time() == LocalTime.SYSTEM ? MachineId.ofThisProcess() : Optional.empty());
    }

    static RecordStore open(Path file, SqliteConfig config, Optional<String> machine) {
        Path database = SqliteFiles.resolve(file);
        SqliteFileLock lock = SqliteFileLock.take(database, config);
        try {
            return open(database, config, machine, lock);
        } catch (RuntimeException e) {
            lock.release();
            throw e;
        }
    }

    private static RecordStore open(Path database, SqliteConfig config, Optional<String> machine, SqliteFileLock lock) {
        SqliteConnections connections = new SqliteConnections(database, config.busyTimeout());
        SqliteFailures failures = new SqliteFailures(database, config.busyTimeout());
        try (Connection connection = connections.create()) {
            Session session = new Session(connection);
            new SqliteSchema(database, config.busyTimeout()).ensure(session);
            SqliteBatch batch = new SqliteBatch(clock(session, config, machine, database));
            if (config.exclusive()) {
                new SqliteRestart(batch).extendLeases(session);
            }
            return store(new SqliteDialect(connections, failures, batch, lock, config), batch, lock);
        } catch (SQLException e) {
            throw failures.of("opening it", e);
        }
    }

    private static SqliteClock clock(Session session, SqliteConfig config, Optional<String> machine, Path database)
            throws SQLException {
        Instant stored = SqliteMeta.time(session);
        String place = "'" + database + "'";
        if (config.exclusive()) {
            MachineClock.forget(session);
            return new OwnClock(config.time(), stored);
        }
        return machine.isPresent()
                ? MachineClock.open(session, config.time(), machine.get(), place)
                : new WallClock(config.time(), stored, place);
    }

    private static RecordStore store(SqliteDialect dialect, SqliteBatch batch, SqliteFileLock lock) {
        Lane writer = new Lane(dialect, Database.Role.WRITER);
        Lanes writers = Lanes.of(dialect, Database.Role.WRITER, writer);
        Lanes reader = Lanes.of(dialect, Database.Role.READER, new Lane(dialect, Database.Role.READER));
        if (!dialect.traits().exclusive()) {
            return new WatchableJdbcStore(dialect, writers, reader, () -> {}, lock);
        }
        SqliteTimekeeper timekeeper = new SqliteTimekeeper(writer, batch, dialect.place());
        timekeeper.start();
        return new JdbcRecordStore(dialect, writers, reader, timekeeper::stop);
    }

    /**
     * Takes away the tables and views, with all locks and their history; other things in the file stay.
     *
     * @throws StoreException if the file is in use, or what is there is not ours; nothing was changed then
     */
    public static void drop(Path file, SqliteConfig config) {
        alone(file, config, "schema drop", "removing the tables", (schema, session) -> {
            schema.drop(session);
            return true;
        });
    }

    /**
     * Makes anew what is missing of the tables, views and indexes, with the file for itself.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws StoreException if the file is in use, or what is there is not ours; nothing was changed then
     */
    public static List<String> repair(Path file, SqliteConfig config) {
        return alone(file, config, "schema repair", "repairing the tables", SqliteSchema::repair);
    }

    /** The names of our views that a table or view of somebody else has. */
    static List<String> hiddenViews(Path file, SqliteConfig config) {
        Path database = SqliteFiles.resolve(file);
        try (Connection connection = new SqliteConnections(database, config.busyTimeout()).reader()) {
            return new SqliteSchema(database, config.busyTimeout()).hidden(new Session(connection));
        } catch (SQLException e) {
            throw new SqliteFailures(database, config.busyTimeout()).of("looking at the views", e);
        }
    }

    /** What is done to the tables while nobody else has the file open. */
    private interface SchemaWork<T> {
        T run(SqliteSchema schema, Session session) throws SQLException;
    }

    private static <T> T alone(Path file, SqliteConfig config, String label, String doing, SchemaWork<T> work) {
        Path database = SqliteFiles.resolve(file);
        SqliteFileLock lock =
                SqliteFileLock.take(database, SqliteConfig.exclusive(label).withBusyTimeout(config.busyTimeout()));
        try (Connection connection = new SqliteConnections(database, config.busyTimeout()).writer()) {
            connection.setAutoCommit(true);
            return work.run(new SqliteSchema(database, config.busyTimeout()), new Session(connection));
        } catch (SQLException e) {
            throw new SqliteFailures(database, config.busyTimeout()).of(doing, e);
        } finally {
            lock.release();
        }
    }

    /** The statements that create what is kept in the file, for those who want to read or run them. */
    public static String schemaSql() {
        return SqlScript.text("sqlite-schema.sql");
    }

    /** The statements that remove it all. */
    public static String dropSql() {
        return SqlScript.text("sqlite-drop.sql");
    }
}
