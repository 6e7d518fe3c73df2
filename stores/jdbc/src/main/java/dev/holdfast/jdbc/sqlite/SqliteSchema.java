package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockSchema;
import dev.holdfast.jdbc.table.OwnTables;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.Times;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a file to the tables and views of this version, whoever else does the same at this moment, in one transaction. A file
 * of a newer version, with only a part of our tables, or with tables of the same name that are not ours, is refused before
 * anything in it is changed.
 */
final class SqliteSchema extends LockSchema {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteSchema.class);

    private static final String BUSY_INDEX = "holdfast_lock_busy";
    private static final String ELSEWHERE = "name another file, or rename that table";
    private static final Map<String, Set<String>> TABLES =
            OwnTables.ofTexts(Set.of("namespace", "name", "path", "token"), Set.of("key", "value"));

    private final Duration patience;

    SqliteSchema(Path file, Duration patience) {
        super("sqlite", "'" + file + "'", ELSEWHERE);
        this.patience = patience;
    }

    @Override
    public void ensure(Session session) throws SQLException {
        // One transaction, so that what another process creates meanwhile is seen whole or not at all.
        session.execute("begin");
        OwnTables found = look(session);
        found.refusePart();
        boolean complete = !found.isNone()
                && missingViews(session).isEmpty()
                && definition(session, BUSY_INDEX).isPresent()
                && meta(session, "views") >= OwnTables.VIEWS;
        hidden(session).forEach(view -> LOG.warn("{}", OwnTables.hidden(place, view)));
        session.execute("commit");
        useWriteAheadLog(session);
        if (complete) {
            return;
        }
        session.execute("begin immediate");
        OwnTables now = look(session);
        now.refusePart();
        make(session, now);
        session.execute("commit");
    }

    @Override
    public List<String> repair(Session session) throws SQLException {
        List<String> said = new ArrayList<>();
        session.execute("begin immediate");
        OwnTables found = look(session);
        said.addAll(found.losses());
        if (found.there().containsKey("holdfast_lock")
                && definition(session, BUSY_INDEX).isEmpty()) {
            said.add("The index '" + BUSY_INDEX + "' was missing and was created again; nothing is lost");
        }
        make(session, found);
        session.execute("commit");
        return said;
    }

    private void make(Session session, OwnTables found) throws SQLException {
        List<String> missing = found.missing();
        boolean oldViews = missing.contains(OwnTables.META) || meta(session, "views") < OwnTables.VIEWS;
        for (String statement : statements()) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isPresent() && oldViews && isOurView(session, view.get())) {
                session.execute("drop view " + view.get());
            }
            Optional<String> table = SqlScript.table(statement);
            String other = view.or(() -> SqlScript.index(statement)).orElse("");
            if (table.isPresent()
                    ? missing.contains(table.get())
                    : definition(session, other).isEmpty()) {
                session.execute(statement);
            }
        }
        if (found.version() == 0) {
            SqliteMeta.put(session, "schema", Integer.toString(OwnTables.VERSION));
        }
        SqliteMeta.put(session, "views", Integer.toString(OwnTables.VIEWS));
        if (SqliteMeta.get(session, "time").isEmpty()) {
            SqliteMeta.put(session, "time", Utc.text(newest(session)));
        }
    }

    /** The latest time any token tells of: the next one must be above it, whatever the machine's clock shows. */
    private static Instant newest(Session session) throws SQLException {
        String sql = "select max(coalesce((select max(fence) from holdfast_lock), 0),"
                + " coalesce((select max(token) from holdfast_event), 0), coalesce((select max(token) from holdfast_fence), 0))";
        return Times.ofMicros(session.first(sql, row -> row.getLong(1)).orElseThrow());
    }

    @Override
    public void drop(Session session) throws SQLException {
        session.execute("begin immediate");
        look(session);
        dropOurs(session);
        session.execute("commit");
    }

    // ---- what is there

    @Override
    protected OwnTables found(Session session) throws SQLException {
        Map<String, Set<String>> there = new LinkedHashMap<>();
        for (String table : TABLES.keySet()) {
            if (definition(session, table).isPresent()) {
                there.put(table, columns(session, table));
            }
        }
        boolean told = there.getOrDefault(OwnTables.META, Set.of()).containsAll(TABLES.get(OwnTables.META));
        return new OwnTables(place, TABLES, there, told ? meta(session, "schema") : 0);
    }

    private static Set<String> columns(Session session, String table) throws SQLException {
        return Set.copyOf(session.all(
                "select lower(t.name) from pragma_table_info(?) t"
                        + " where exists (select 1 from sqlite_master where type = 'table' and name = ? collate nocase)",
                row -> row.getString(1),
                table,
                table));
    }

    private static int meta(Session session, String key) throws SQLException {
        return number(SqliteMeta.get(session, key));
    }

    @Override
    protected boolean isTaken(Session session, String name) throws SQLException {
        return definition(session, name).isPresent();
    }

    @Override
    protected boolean isOurView(Session session, String view) throws SQLException {
        // A table whose text speaks of ours is somebody else's all the same.
        return definition(session, view, "type = 'view'")
                .filter(text -> text.contains("holdfast_lock"))
                .isPresent();
    }

    /** The text that made a table, view or index; empty if there is none of that name. */
    private static Optional<String> definition(Session session, String name) throws SQLException {
        return definition(session, name, "type in ('table', 'view', 'index')");
    }

    private static Optional<String> definition(Session session, String name, String kinds) throws SQLException {
        return session.first(
                "select sql from sqlite_master where " + kinds + " and name = ? collate nocase",
                row -> row.getString(1),
                name);
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
                            place + " cannot have a write-ahead log where it is (a network drive?); move it to"
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
        return session.first(pragma, row -> row.getString(1)).orElse("");
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
