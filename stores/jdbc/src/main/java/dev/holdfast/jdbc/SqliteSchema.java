package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreUnusableException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a file to the tables and views of this version, whoever else does the same at this moment. A file of a newer
 * version, or with tables of the same name that are not ours, is refused before anything in it is changed.
 */
final class SqliteSchema {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteSchema.class);

    /** The version this code writes. */
    static final int VERSION = 1;

    private static final List<String> TABLES =
            List.of("holdfast_lock", "holdfast_event", "holdfast_fence", "holdfast_meta");

    private final Path file;
    private final Duration patience;

    SqliteSchema(Path file, Duration patience) {
        this.file = file;
        this.patience = patience;
    }

    /** Does what is missing, on a session that commits by itself. */
    void ensure(Session session) throws SQLException {
        // One transaction, so that what another process creates meanwhile is seen whole or not at all.
        session.execute("begin");
        boolean complete = isComplete(session);
        session.execute("commit");
        useWriteAheadLog(session);
        if (complete) {
            return;
        }
        session.execute("begin immediate");
        boolean tables = hasTables(session);
        for (String statement : SqlScript.statements(SqlScript.text("sqlite-schema.sql"))) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isPresent() ? isFree(session, view.get()) : !tables) {
                session.execute(statement);
            }
        }
        if (!tables) {
            insert(session, "schema", Integer.toString(VERSION));
            insert(session, "time", Utc.text(Instant.EPOCH));
        }
        session.execute("commit");
    }

    /** Takes away what is ours, and nothing else. */
    void drop(Session session) throws SQLException {
        session.execute("begin immediate");
        hasTables(session);
        for (String statement : SqlScript.statements(SqlScript.text("sqlite-drop.sql"))) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isEmpty() || definition(session, view.get()).orElse("").contains("holdfast_lock")) {
                session.execute(statement);
            }
        }
        session.execute("commit");
    }

    /** Whether there is nothing to do; reads only. */
    private boolean isComplete(Session session) throws SQLException {
        boolean complete = hasTables(session);
        for (String statement : SqlScript.statements(SqlScript.text("sqlite-schema.sql"))) {
            Optional<String> view = SqlScript.view(statement);
            complete = complete && !(view.isPresent() && isFree(session, view.get()));
        }
        return complete;
    }

    // ---- what is there

    /** Whether our tables are there. They are created all at once, so anything in between is not of our making. */
    private boolean hasTables(Session session) throws SQLException {
        List<String> found = new ArrayList<>();
        for (String table : TABLES) {
            if (definition(session, table).isPresent()) {
                found.add(table);
            }
        }
        if (found.isEmpty()) {
            return false;
        }
        int version = found.size() == TABLES.size() ? version(session) : 0;
        if (version < 1) {
            throw new StoreUnusableException(
                    "'" + file + "' has a table '" + found.get(0) + "' that is not Holdfast's, or only a part of"
                            + " Holdfast's tables. It was not touched; name another file, or rename that table",
                    null);
        }
        if (version > VERSION) {
            throw new StoreUnusableException(
                    "'" + file + "' was written by a newer Holdfast (tables of version " + version + ", this one knows "
                            + VERSION + "). It was not touched; upgrade this process",
                    null);
        }
        return true;
    }

    /** The version of our tables; 0 if these are not ours. */
    private static int version(Session session) throws SQLException {
        try (ResultSet row = session.prepare("select value from holdfast_meta where key = 'schema'")
                .executeQuery()) {
            return row.next() ? Integer.parseInt(row.getString(1)) : 0;
        } catch (NumberFormatException e) {
            return 0;
        } catch (SQLException e) {
            if (e.getErrorCode() == SqliteFailures.ERROR) {
                return 0; // no such column
            }
            throw e;
        }
    }

    /** Whether a view can be created; if something else has its name, it is left alone, and said. */
    private boolean isFree(Session session, String view) throws SQLException {
        Optional<String> there = definition(session, view);
        if (there.isPresent() && !there.get().contains("holdfast_lock")) {
            LOG.info("'{}' has its own '{}', so Holdfast's view of that name is not created there", file, view);
        }
        return there.isEmpty();
    }

    /** The text that made a table or view; empty if there is none of that name. */
    private static Optional<String> definition(Session session, String name) throws SQLException {
        PreparedStatement statement = session.prepare(
                "select sql from sqlite_master where type in ('table', 'view') and name = ? collate nocase");
        statement.setString(1, name);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
    }

    // ---- doing it

    /** The mode stays with the file. Of several that switch at once, SQLite lets some fail where it should let them wait. */
    void useWriteAheadLog(Session session) throws SQLException {
        long end = System.nanoTime() + patience.toNanos();
        String mode = journalMode(session, "pragma journal_mode");
        while (!mode.equals("wal")) {
            try {
                mode = journalMode(session, "pragma journal_mode = wal");
                if (!mode.equals("wal")) {
                    throw new StoreUnusableException(
                            "'" + file + "' cannot have a write-ahead log where it is (a network drive?); move it to"
                                    + " a disk of this machine",
                            null);
                }
            } catch (SQLException e) {
                if (e.getErrorCode() != SqliteFailures.BUSY || System.nanoTime() - end > 0) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static String journalMode(Session session, String pragma) throws SQLException {
        try (ResultSet row = session.prepare(pragma).executeQuery()) {
            return row.next() ? row.getString(1) : "";
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void insert(Session session, String key, String value) throws SQLException {
        PreparedStatement statement = session.prepare("insert into holdfast_meta (key, value) values (?, ?)");
        statement.setString(1, key);
        statement.setString(2, value);
        statement.executeUpdate();
    }
}
