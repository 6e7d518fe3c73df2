package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Lane;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.JdbcRecordStore;
import dev.holdfast.jdbc.store.WatchableJdbcStore;
import dev.holdfast.jdbc.table.SqlTables;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.LocalTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** An SQLite file with locks in it, or about to have some. */
public final class SqliteDatabase implements SqlTables {
    private final Path path;
    private final Path file;
    private final SqliteSettings settings;
    private final SqliteConnections connections;
    private final SqliteSchema schema;

    /** The file at this path, which need not exist. */
    public SqliteDatabase(Path path, SqliteSettings settings) {
        this.path = path;
        this.file = SqliteFiles.resolve(path);
        this.settings = settings;
        this.connections = new SqliteConnections(file, settings.busyTimeout());
        this.schema = new SqliteSchema(file, settings.busyTimeout());
    }

    /** Opens the locks, making the file and its tables if they are missing. */
    public RecordStore locks() {
        // Only the machine's own clocks are known to be the same for all its processes.
        return locks(settings.time() == LocalTime.SYSTEM ? MachineId.ofThisProcess() : Optional.empty());
    }

    RecordStore locks(Optional<String> machine) {
        SqliteFileLock lock = SqliteFileLock.take(file, settings);
        try (Connection connection = connections.create()) {
            Session session = new Session(connection);
            schema.ensure(session);
            SqliteBatch batch = new SqliteBatch(clock(session, machine));
            if (settings.exclusive()) {
                new SqliteRestart(batch).extendLeases(session);
            }
            return store(new SqliteDialect(connections, batch, lock, settings), batch, lock);
        } catch (SQLException e) {
            lock.release();
            throw connections.failures().of("opening it", e);
        } catch (RuntimeException e) {
            lock.release();
            throw e;
        }
    }

    private SqliteClock clock(Session session, Optional<String> machine) throws SQLException {
        Instant stored = SqliteMeta.time(session);
        if (settings.exclusive()) {
            MachineClock.forget(session);
            return new OwnClock(settings.time(), stored);
        }
        return machine.isPresent()
                ? MachineClock.open(
                        session,
                        settings.time(),
                        machine.get(),
                        connections.failures().place())
                : new WallClock(settings.time(), stored, connections.failures().place());
    }

    private RecordStore store(SqliteDialect dialect, SqliteBatch batch, SqliteFileLock lock) {
        Lanes writers = Lanes.of(connections, ConnectionRole.WRITER, 1, 1);
        Lanes reader = Lanes.of(connections, ConnectionRole.READER, 1, 1);
        if (!settings.exclusive()) {
            return new WatchableJdbcStore(dialect, writers, reader, () -> {}, lock);
        }
        SqliteTimekeeper timekeeper =
                new SqliteTimekeeper(writers, batch, connections.failures().place());
        timekeeper.start();
        return new JdbcRecordStore(dialect, writers, reader, timekeeper::stop);
    }

    @Override
    public void dropLocks() {
        alone("schema drop", "removing the tables", session -> {
            schema.drop(session);
            return true;
        });
    }

    @Override
    public void dropDocuments() {
        SqliteDocumentDialect.drop(path);
    }

    @Override
    public List<String> repair() {
        return alone("schema repair", "repairing the tables", schema::repair);
    }

    @Override
    public List<String> hiddenViews() {
        try (Connection connection = connections.reader()) {
            return schema.hidden(new Session(connection));
        } catch (SQLException e) {
            throw connections.failures().of("looking at the views", e);
        }
    }

    @Override
    public Connection reader() throws SQLException {
        return connections.reader();
    }

    private <T> T alone(String label, String doing, Lane.SqlWork<T> work) {
        SqliteFileLock lock =
                SqliteFileLock.take(file, new SqliteSettings(true, label, settings.busyTimeout(), LocalTime.SYSTEM));
        try (Connection connection = connections.writer()) {
            connection.setAutoCommit(true);
            return work.run(new Session(connection));
        } catch (SQLException e) {
            throw connections.failures().of(doing, e);
        } finally {
            lock.release();
        }
    }
}
