package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database to the tables and views of this version, whoever else does the same at this moment. These servers make
 * each table in a transaction of its own. So the version is written when all are there, and a start that finds some of our
 * tables and no version goes on where another one ended. A database of a newer version, or with tables of the same name that
 * are not ours, is refused before anything is changed.
 */
final class MariadbSchema {
    private static final Logger LOG = LoggerFactory.getLogger(MariadbSchema.class);

    /** The version this code writes. */
    static final int VERSION = 1;

    private static final String META = "holdfast_meta";
    /** The tables and the columns by which ours are recognised; the one with the version comes last. */
    private static final Map<String, Set<String>> TABLES = tables();
    /** Of one database, within the 64 characters a lock of the server may have. */
    private static final String LOCK = "concat('holdfast_', md5(database()))";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String place;

    MariadbSchema(String place) {
        this.place = place;
    }

    private static Map<String, Set<String>> tables() {
        Map<String, Set<String>> tables = new LinkedHashMap<>();
        Set<String> lock = new HashSet<>(LockRows.COLUMNS);
        lock.addAll(List.of("id", "namespace", "name"));
        tables.put("holdfast_lock", lock);
        Set<String> event = new HashSet<>(List.of(EventRows.COLUMNS.split(", ", -1)));
        event.add("number");
        tables.put("holdfast_event", event);
        tables.put("holdfast_fence", Set.of("namespace", "name", "path_hash", "path", "token"));
        tables.put(META, Set.of("name", "value"));
        return tables;
    }

    /** Does what is missing, on a session that commits by itself. Without anything to do it only reads. */
    void ensure(Session session) throws SQLException {
        if (isComplete(session)) {
            return;
        }
        lock(session);
        try {
            boolean mysql = !one(session, "select version()").contains("MariaDB");
            if (version(session) == 0) {
                makeTables(session, mysql);
            }
            makeViews(session, mysql);
        } finally {
            session.execute("do release_lock(" + LOCK + ")");
        }
    }

    /** Takes away what is ours, and nothing else. */
    void drop(Session session) throws SQLException {
        version(session); // refuses what is not ours
        for (String statement : SqlScript.statements(MariadbStore.dropSql())) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isEmpty() || isOurView(session, view.get())) {
                session.execute(statement);
            }
        }
    }

    private boolean isComplete(Session session) throws SQLException {
        if (one(session, "select database()").isEmpty()) {
            throw new StoreUnusableException(
                    "The connection to " + place + " names no database, so there is no place for Holdfast's tables;"
                            + " name one in its URL",
                    null);
        }
        boolean complete = version(session) > 0;
        for (String statement : SqlScript.statements(MariadbStore.schemaSql())) {
            Optional<String> view = SqlScript.view(statement);
            complete = complete && !(view.isPresent() && isFree(session, view.get()));
        }
        return complete;
    }

    /** Those who start at the same moment wait here, and then find everything done. */
    private void lock(Session session) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        // A second at a time: a line that is silent for longer is taken for dead.
        while (!one(session, "select get_lock(" + LOCK + ", 1)").equals("1")) {
            if (System.nanoTime() - end > 0) {
                throw new StoreUnavailableException(
                        "Another process has been making Holdfast's tables in " + place + " for " + PATIENCE
                                + "; find it with: select is_used_lock(" + LOCK + ")",
                        null);
            }
        }
    }

    private static void makeTables(Session session, boolean mysql) throws SQLException {
        for (String statement : statements(mysql)) {
            if (SqlScript.view(statement).isEmpty()) {
                session.execute(statement.replaceFirst("create table ", "create table if not exists "));
            }
        }
        session.execute("insert into " + META + " (name, value) values ('schema', '" + VERSION + "')");
    }

    /** Locks do not need the views, so who may not make them goes without. */
    private void makeViews(Session session, boolean mysql) throws SQLException {
        for (String statement : statements(mysql)) {
            Optional<String> view = SqlScript.view(statement);
            try {
                if (view.isPresent() && isFree(session, view.get())) {
                    session.execute(statement);
                }
            } catch (SQLException e) {
                if (!MariadbFailures.lacksRight(e)) {
                    throw e;
                }
                LOG.info("The user may not create views in {}, so it has no '{}'", place, view.orElse(""));
            }
        }
    }

    /** The collation in which trailing spaces count has another name on each of the servers. */
    private static List<String> statements(boolean mysql) {
        String text = MariadbStore.schemaSql();
        return SqlScript.statements(mysql ? text.replace("utf8mb4_nopad_bin", "utf8mb4_0900_bin") : text);
    }

    // ---- what is there

    /** The version of our tables; 0 if they are not all there yet. */
    private int version(Session session) throws SQLException {
        // The version first: it is written last, so whoever sees it sees all tables, also while another makes them.
        int version = isOurs(META, Map.of(META, columns(session, META))) ? storedVersion(session) : 0;
        Map<String, Set<String>> there = new LinkedHashMap<>();
        for (String table : TABLES.keySet()) {
            Set<String> columns = columns(session, table);
            if (!columns.isEmpty()) {
                there.put(table, columns);
            }
        }
        if (version > VERSION) {
            throw new StoreUnusableException(
                    place + " was written by a newer Holdfast (tables of version " + version + ", this one knows "
                            + VERSION + "). It was not touched; upgrade this process",
                    null);
        }
        refuseForeign(there, version);
        return version;
    }

    private void refuseForeign(Map<String, Set<String>> there, int version) {
        Stream<String> expected = version > 0 ? TABLES.keySet().stream() : there.keySet().stream();
        Optional<String> foreign =
                expected.filter(table -> !isOurs(table, there)).findFirst();
        if (foreign.isPresent() && there.containsKey(foreign.get())) {
            throw new StoreUnusableException(
                    place + " has a table '" + foreign.get()
                            + "' that is not Holdfast's. It was not touched; rename that"
                            + " table, or keep the locks in another database",
                    null);
        }
        if (foreign.isPresent()) {
            throw new StoreUnusableException(
                    place + " has only a part of Holdfast's tables: '" + foreign.get() + "' is missing. Nothing was"
                            + " touched; restore a backup, or remove the rest",
                    null);
        }
    }

    private static boolean isOurs(String table, Map<String, Set<String>> there) {
        return there.getOrDefault(table, Set.of()).containsAll(TABLES.getOrDefault(table, Set.of()));
    }

    private static int storedVersion(Session session) throws SQLException {
        String stored = one(session, "select value from " + META + " where name = 'schema'");
        try {
            return stored.isEmpty() ? 0 : Integer.parseInt(stored);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The columns of a table or view of this name; none if nothing has it. */
    private static Set<String> columns(Session session, String table) throws SQLException {
        Set<String> columns = new HashSet<>();
        for (String column : all(
                session,
                "select column_name from information_schema.columns"
                        + " where table_schema = database() and table_name = ?",
                table)) {
            columns.add(column.toLowerCase(Locale.ROOT));
        }
        return columns;
    }

    /** Whether a view can be created; if something else has its name, it is left alone, and said. */
    private boolean isFree(Session session, String view) throws SQLException {
        if (columns(session, view).isEmpty()) {
            return true;
        }
        if (!isOurView(session, view)) {
            LOG.info("{} has its own '{}', so Holdfast's view of that name is not created there", place, view);
        }
        return false;
    }

    private static boolean isOurView(Session session, String view) throws SQLException {
        List<String> text = all(
                session,
                "select view_definition from information_schema.views"
                        + " where table_schema = database() and table_name = ?",
                view);
        // Who may not see the text of a view gets an empty one.
        return text.stream().anyMatch(one -> one.isEmpty() || one.contains("holdfast_lock"));
    }

    private static List<String> all(Session session, String sql, String parameter) throws SQLException {
        PreparedStatement statement = session.prepare(sql);
        statement.setString(1, parameter);
        List<String> values = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                values.add(Optional.ofNullable(row.getString(1)).orElse(""));
            }
        }
        return values;
    }

    private static String one(Session session, String sql) throws SQLException {
        try (ResultSet row = session.prepare(sql).executeQuery()) {
            return row.next() ? Optional.ofNullable(row.getString(1)).orElse("") : "";
        }
    }
}
