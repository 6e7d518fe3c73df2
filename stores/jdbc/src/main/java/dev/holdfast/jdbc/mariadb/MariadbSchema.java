package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockSchema;
import dev.holdfast.jdbc.table.OwnTables;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database to the tables and views of this version, whoever else does the same at this moment. These servers make
 * each table in a transaction of its own. So the version is written when all are there, and a start that finds the first of
 * our tables and no version goes on where another one ended. A database of a newer version, with tables missing that were
 * there, or with tables of the same name that are not ours, is refused before anything is changed.
 */
final class MariadbSchema extends LockSchema {
    private static final Logger LOG = LoggerFactory.getLogger(MariadbSchema.class);

    /** The tables and the columns by which ours are recognised; the one with the version comes last. */
    private static final Map<String, Set<String>> TABLES =
            OwnTables.ofTexts(Set.of("namespace", "name", "path_hash", "path", "token"), Set.of("name", "value"));

    private static final Map<String, Set<String>> VIEWS = Map.of(
            "database_lock",
            Set.of("id", "lock_name", "process_id", "acquired_at", "expires_at"),
            "distributed_locks",
            Set.of(
                    "id",
                    "lock_name",
                    "pod_id",
                    "acquired_at",
                    "expires_at",
                    "renewed_at",
                    "is_active",
                    "created_at",
                    "updated_at"));
    /** Of one database, within the 64 characters a lock of the server may have. */
    private static final String LOCK = "concat('holdfast_', md5(database()))";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ELSEWHERE = "rename that table, or keep the locks in another database";
    /** The one index that is no part of a key, and the statement that makes it where it was dropped. */
    private static final String BUSY_INDEX = "holdfast_lock_busy";

    private static final String MAKE_INDEX = "create index " + BUSY_INDEX + " on holdfast_lock (busy, namespace, name)";

    private static final String VIEW =
            "select view_definition from information_schema.views where table_schema = database() and table_name = ?";
    private static final Map<String, String> TOKENS =
            Map.of("holdfast_lock", "fence", "holdfast_event", "token", "holdfast_fence", "token");
    private static final String NOW = "cast(unix_timestamp(sysdate(6)) * 1000000 as signed)";

    MariadbSchema(String place) {
        super("mariadb", place, ELSEWHERE);
    }

    @Override
    public void ensure(Session session) throws SQLException {
        hidden(session).forEach(view -> LOG.warn("{}", OwnTables.hidden(place, view)));
        if (isWhole(session)) {
            return;
        }
        // Whatever is missing is judged when nobody makes it: these servers list tables one by one, each as it is at
        // that moment.
        alone(session, () -> {
            OwnTables found = look(session);
            refusePart(session, found);
            make(session, found);
        });
    }

    private boolean isWhole(Session session) throws SQLException {
        OwnTables found = found(session);
        if (found.version() == 0 || !found.missing().isEmpty()) {
            return false;
        }
        found.refuseForeign(ELSEWHERE);
        return missingViews(session).isEmpty() && meta(session, "views") >= OwnTables.VIEWS;
    }

    /**
     * Tables are made one after the other, and the version last: the first ones without it, and with nothing in them yet, are a start
     * that was cut off.
     */
    private void refusePart(Session session, OwnTables found) throws SQLException {
        List<String> firsts =
                TABLES.keySet().stream().limit(found.there().size()).toList();
        boolean cutOff = found.version() == 0 && found.there().keySet().containsAll(firsts);
        if (!cutOff || !areEmpty(session, found.there().keySet())) {
            found.refusePart();
        }
    }

    private static boolean areEmpty(Session session, Set<String> tables) throws SQLException {
        for (String table : tables) {
            if (!one(session, "select 1 from " + table + " limit 1").isEmpty()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<String> repair(Session session) throws SQLException {
        List<String> said = new ArrayList<>();
        alone(session, () -> {
            OwnTables found = look(session);
            said.addAll(found.losses());
            tokensAhead(session, found, TOKENS, NOW).ifPresent(said::add);
            make(session, found);
            if (one(
                            session,
                            "select 1 from information_schema.statistics where table_schema = database()"
                                    + " and table_name = 'holdfast_lock' and index_name = '" + BUSY_INDEX + "' limit 1")
                    .isEmpty()) {
                session.execute(MAKE_INDEX);
                said.add("The index '" + BUSY_INDEX + "' was missing and was created again; nothing is lost");
            }
        });
        return said;
    }

    @Override
    public void drop(Session session) throws SQLException {
        look(session);
        dropOurs(session);
    }

    // ---- making

    private void alone(Session session, Changes changes) throws SQLException {
        lock(session);
        try {
            changes.make();
        } finally {
            session.execute("do release_lock(" + LOCK + ")");
        }
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

    private void make(Session session, OwnTables found) throws SQLException {
        boolean mysql = !one(session, "select version()").contains("MariaDB");
        List<String> missing = found.missing();
        for (String statement : statements(mysql)) {
            if (SqlScript.table(statement).filter(missing::contains).isPresent()) {
                session.execute(statement);
            }
        }
        if (found.version() == 0) {
            put(session, "schema", OwnTables.VERSION);
        }
        makeViews(session, mysql, meta(session, "views") < OwnTables.VIEWS);
    }

    /** Locks do not need the views, so who may not make or replace one goes without that one. */
    private void makeViews(Session session, boolean mysql, boolean anew) throws SQLException {
        List<String> refused = new ArrayList<>();
        for (String statement : statements(mysql)) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isPresent() && !madeView(session, view.get(), statement, anew)) {
                refused.add(view.get());
            }
        }
        if (!refused.isEmpty()) {
            LOG.info(
                    "The user may not make the view {} in {}, so it is not there or of an older version",
                    String.join(" and the view ", refused),
                    place);
        } else if (anew) {
            put(session, "views", OwnTables.VIEWS);
        }
    }

    /** False if the user may not. */
    private boolean madeView(Session session, String view, String statement, boolean anew) throws SQLException {
        try {
            if (columns(session, view).isEmpty()) {
                session.execute(statement);
            } else if (anew && isOurView(session, view)) {
                session.execute(statement.replaceFirst("create view", "create or replace view"));
            }
            return true;
        } catch (SQLException e) {
            if (MariadbFailures.lacksRight(e)) {
                return false;
            }
            throw e;
        }
    }

    private static void put(Session session, String name, int value) throws SQLException {
        session.execute("insert into " + OwnTables.META + " (name, value) values ('" + name + "', '" + value
                + "') on duplicate key update value = '" + value + "'");
    }

    /** The collation in which trailing spaces count has another name on each of the servers. */
    private List<String> statements(boolean mysql) {
        return statements().stream()
                .map(text -> mysql ? text.replace("utf8mb4_nopad_bin", "utf8mb4_0900_bin") : text)
                .toList();
    }

    // ---- what is there

    @Override
    protected OwnTables found(Session session) throws SQLException {
        if (one(session, "select database()").isEmpty()) {
            throw new StoreUnusableException(
                    "The connection to " + place + " names no database, so there is no place for Holdfast's tables;"
                            + " name one in its URL",
                    null);
        }
        // The version first: it is written last, so whoever sees it sees all tables, also while another makes them.
        boolean told = columns(session, OwnTables.META).containsAll(TABLES.get(OwnTables.META));
        int version = told ? meta(session, "schema") : 0;
        Map<String, Set<String>> there = new LinkedHashMap<>();
        for (String table : TABLES.keySet()) {
            Set<String> columns = columns(session, table);
            if (!columns.isEmpty()) {
                there.put(table, columns);
            }
        }
        return new OwnTables(place, TABLES, there, version);
    }

    private static int meta(Session session, String name) throws SQLException {
        return number(session.first(
                "select value from " + OwnTables.META + " where name = ?", row -> row.getString(1), name));
    }

    /** The columns of a table or view of this name; none if nothing has it. */
    private static Set<String> columns(Session session, String table) throws SQLException {
        return Set.copyOf(session.all(
                "select lower(column_name) from information_schema.columns"
                        + " where table_schema = database() and table_name = ?",
                row -> row.getString(1),
                table));
    }

    @Override
    protected boolean isTaken(Session session, String name) throws SQLException {
        return !columns(session, name).isEmpty();
    }

    @Override
    protected boolean isOurView(Session session, String view) throws SQLException {
        return definition(session, view).contains("holdfast_lock");
    }

    /** Who may not see the text of a view gets an empty one. It is left as it is, and with our columns not told to be another's. */
    @Override
    protected boolean isForeign(Session session, String view) throws SQLException {
        boolean mayBeOurs = session.first(VIEW, row -> true, view).isPresent()
                && definition(session, view).isEmpty()
                && columns(session, view).equals(VIEWS.get(view));
        return !isOurView(session, view) && !mayBeOurs;
    }

    private static String definition(Session session, String view) throws SQLException {
        return session.first(VIEW, row -> row.getString(1), view).orElse("");
    }

    private static String one(Session session, String sql) throws SQLException {
        return session.first(sql, row -> row.getString(1)).orElse("");
    }
}
