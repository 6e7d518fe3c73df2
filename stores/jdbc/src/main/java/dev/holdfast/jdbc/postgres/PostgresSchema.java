package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockSchema;
import dev.holdfast.jdbc.table.OwnTables;
import dev.holdfast.jdbc.table.SqlScript;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a schema to the tables and views of this version, whoever else does the same at this moment, in one transaction. A
 * schema of a newer version, with only a part of our tables, or with tables of the same name that are not ours, is refused
 * before anything is changed.
 */
final class PostgresSchema implements LockSchema {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

    /** Any number that others do not use for a lock of their own; "holdfast" in ASCII. */
    private static final long ADVISORY = 0x686f6c6466617374L;

    private static final String ELSEWHERE =
            "rename that table, or keep the locks in another schema (?currentSchema=...)";
    private static final Map<String, Set<String>> TABLES = tables();

    private final String place;

    PostgresSchema(String place) {
        this.place = place;
    }

    private static Map<String, Set<String>> tables() {
        Map<String, Set<String>> tables = new LinkedHashMap<>();
        tables.put("holdfast_lock", columns("id namespace name stamp newcomer fence format busy body past"));
        tables.put("holdfast_event", columns("number at type namespace name detail metadata"));
        tables.put("holdfast_fence", columns("namespace name path token"));
        tables.put(OwnTables.META, columns("key value"));
        return tables;
    }

    private static Set<String> columns(String names) {
        return Set.copyOf(Arrays.asList(names.split(" ", -1)));
    }

    @Override
    public void ensure(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
        OwnTables found = look(session, schema);
        found.refuseForeign(ELSEWHERE);
        found.refusePart();
        hidden(session, schema).forEach(view -> LOG.warn("{}", OwnTables.hidden(place, view)));
        if (found.isNone() || !missingViews(session, schema).isEmpty()) {
            inTransaction(session, () -> {
                OwnTables now = look(session, schema); // another may have made them meanwhile
                now.refuseForeign(ELSEWHERE);
                make(session, schema, now);
            });
        }
        if (viewsVersion(session) < OwnTables.VIEWS) {
            renewViews(session, schema);
        }
    }

    @Override
    public List<String> repair(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
        List<String> said = new ArrayList<>();
        inTransaction(session, () -> {
            OwnTables found = look(session, schema);
            found.refuseForeign(ELSEWHERE);
            if (!found.isNone()) {
                said.addAll(OwnTables.losses(found.missing()));
                tokensAhead(session, found).ifPresent(said::add);
            }
            make(session, schema, found);
        });
        renewViews(session, schema);
        return said;
    }

    private void make(Session session, String schema, OwnTables found) throws SQLException {
        List<String> missing = found.missing();
        for (String statement : SqlScript.statements(PostgresDatabase.schemaSql())) {
            Optional<String> view = SqlScript.view(statement);
            boolean due = view.isPresent()
                    ? named(session, schema, List.of(view.get())).isEmpty()
                    : SqlScript.table(statement).filter(missing::contains).isPresent();
            if (due) {
                session.execute(statement);
            }
        }
        if (found.version() == 0) {
            session.execute(put("schema", OwnTables.VERSION));
        }
        if (found.isNone()) {
            session.execute(put("views", OwnTables.VIEWS));
        }
    }

    private static String put(String key, int value) {
        return "insert into holdfast_meta (key, value) values ('" + key + "', '" + value
                + "') on conflict (key) do update set value = excluded.value";
    }

    /** Tokens of before that the clock has not reached: the next ones would not be above them. */
    private static Optional<String> tokensAhead(Session session, OwnTables found) throws SQLException {
        List<String> sources = new ArrayList<>();
        if (found.there().containsKey("holdfast_lock")) {
            sources.add("select max(fence) as token from holdfast_lock");
        }
        if (found.there().containsKey("holdfast_event")) {
            sources.add("select max((detail ->> 'token')::bigint) as token from holdfast_event");
        }
        if (found.there().containsKey("holdfast_fence")) {
            sources.add("select max(token) as token from holdfast_fence");
        }
        if (sources.isEmpty()) {
            return Optional.empty();
        }
        String sql = "select max(token) - (extract(epoch from clock_timestamp()) * 1000000)::bigint from ("
                + String.join(" union all ", sources) + ") as tokens";
        try (ResultSet row = session.prepare(sql).executeQuery()) {
            return row.next() ? OwnTables.ahead(row.getLong(1)) : Optional.empty();
        }
    }

    @Override
    public void drop(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
        inTransaction(session, () -> {
            look(session, schema).refuseForeign(ELSEWHERE);
            for (String statement : SqlScript.statements(SqlScript.text("postgresql-drop.sql"))) {
                Optional<String> view = SqlScript.view(statement);
                if (view.isEmpty() || isOurView(session, schema, view.get())) {
                    session.execute(statement);
                }
            }
        });
    }

    /** What is changed together. */
    interface Changes {
        void make() throws SQLException;
    }

    /** Makes the changes as a whole, after all others that do so. */
    static void inTransaction(Session session, Changes changes) throws SQLException {
        session.connection().setAutoCommit(false);
        try {
            // Those who start at the same moment wait here, and then find everything done.
            session.execute("select pg_advisory_xact_lock(" + ADVISORY + ")");
            changes.make();
            session.commit();
        } catch (SQLException | RuntimeException e) {
            session.recover();
            session.connection().setAutoCommit(true);
            throw e;
        }
        session.connection().setAutoCommit(true);
    }

    // ---- views

    /** Our views in their newest form. Locks do not need it, so who may not replace them goes on with the old ones. */
    private void renewViews(Session session, String schema) throws SQLException {
        try {
            inTransaction(session, () -> {
                for (String statement : SqlScript.statements(PostgresDatabase.schemaSql())) {
                    Optional<String> view = SqlScript.view(statement);
                    if (view.isPresent() && isOurView(session, schema, view.get())) {
                        session.execute(statement.replaceFirst("create view", "create or replace view"));
                    }
                }
                session.execute(put("views", OwnTables.VIEWS));
            });
        } catch (SQLException e) {
            if (!PostgresFailures.state(e)
                    .startsWith("42")) { // a right that is missing, or a view that somebody changed
                throw e;
            }
            LOG.warn(
                    "The views in {} are of an older version and cannot be replaced ({}); let their owner drop them and run:"
                            + " holdfast schema migrate",
                    place,
                    e.getMessage());
        }
    }

    private static int viewsVersion(Session session) throws SQLException {
        return meta(session, "views");
    }

    /** Names of our views that are free. */
    private static List<String> missingViews(Session session, String schema) throws SQLException {
        List<String> views = views();
        views.removeAll(named(session, schema, views));
        return views;
    }

    @Override
    public List<String> hidden(Session session) throws SQLException {
        return hidden(session, PostgresConnections.schema(session));
    }

    private static List<String> hidden(Session session, String schema) throws SQLException {
        List<String> hidden = new ArrayList<>();
        for (String view : named(session, schema, views())) {
            if (!isOurView(session, schema, view)) {
                hidden.add(view);
            }
        }
        return hidden;
    }

    private static List<String> views() {
        return new ArrayList<>(SqlScript.statements(PostgresDatabase.schemaSql()).stream()
                .flatMap(statement -> SqlScript.view(statement).stream())
                .toList());
    }

    private static boolean isOurView(Session session, String schema, String view) throws SQLException {
        PreparedStatement statement = session.prepare(
                "select definition like '%holdfast_%' from pg_views where schemaname = ? and viewname = ?");
        statement.setString(1, schema);
        statement.setString(2, view);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    // ---- what is there

    /** In one query: another process may be creating them, all at once, just now. */
    private OwnTables look(Session session, String schema) throws SQLException {
        PreparedStatement statement = session.prepare("select c.relname::text, a.attname::text, c.relkind in ('r', 'p')"
                + " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                + " left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
                + " where n.nspname = ? and c.relname = any (?)");
        statement.setString(1, schema);
        statement.setArray(
                2, session.connection().createArrayOf("text", TABLES.keySet().toArray()));
        Map<String, Set<String>> there = new LinkedHashMap<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Set<String> columns = there.computeIfAbsent(row.getString(1), table -> new HashSet<>());
                if (row.getBoolean(3)) { // a view of our name has no column of ours
                    columns.add(String.valueOf(row.getString(2)));
                }
            }
        }
        boolean told = there.getOrDefault(OwnTables.META, Set.of()).containsAll(TABLES.get(OwnTables.META));
        String where = "Schema '" + schema + "' of " + place;
        return new OwnTables(where, TABLES, there, told ? meta(session, "schema") : 0);
    }

    /** A number the tables say of themselves; 0 if they do not. */
    private static int meta(Session session, String key) throws SQLException {
        PreparedStatement statement = session.prepare("select value from holdfast_meta where key = ?");
        statement.setString(1, key);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Integer.parseInt(row.getString(1)) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Which of these names are in use. */
    private static List<String> named(Session session, String schema, List<String> names) throws SQLException {
        PreparedStatement statement = session.prepare("select c.relname::text from pg_class c"
                + " join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relname = any (?)");
        statement.setString(1, schema);
        statement.setArray(2, session.connection().createArrayOf("text", names.toArray()));
        List<String> found = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }
}
