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
final class PostgresSchema extends LockSchema {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

    /** Any number that others do not use for a lock of their own; "holdfast" in ASCII. */
    private static final long ADVISORY = 0x686f6c6466617374L;

    private static final String ELSEWHERE =
            "rename that table, or keep the locks in another schema (?currentSchema=...)";
    private static final Map<String, Set<String>> TABLES = tables();
    private static final Map<String, String> TOKENS = Map.of(
            "holdfast_lock", "fence", "holdfast_event", "(detail ->> 'token')::bigint", "holdfast_fence", "token");
    private static final String NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

    PostgresSchema(String place) {
        super("postgresql", place, ELSEWHERE);
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
        OwnTables found = look(session);
        found.refusePart();
        hidden(session).forEach(view -> LOG.warn("{}", OwnTables.hidden(place, view)));
        if (found.isNone() || !missingViews(session).isEmpty()) {
            inTransaction(session, () -> {
                make(session, look(session)); // another may have made them meanwhile
            });
        }
        if (meta(session, "views") < OwnTables.VIEWS) {
            renewViews(session);
        }
    }

    @Override
    public List<String> repair(Session session) throws SQLException {
        List<String> said = new ArrayList<>();
        inTransaction(session, () -> {
            OwnTables found = look(session);
            said.addAll(found.losses());
            tokensAhead(session, found, TOKENS, NOW).ifPresent(said::add);
            make(session, found);
        });
        renewViews(session);
        return said;
    }

    private void make(Session session, OwnTables found) throws SQLException {
        List<String> missing = found.missing();
        for (String statement : statements()) {
            Optional<String> view = SqlScript.view(statement);
            boolean due = view.isPresent()
                    ? !isTaken(session, view.get())
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

    @Override
    public void drop(Session session) throws SQLException {
        inTransaction(session, () -> {
            look(session);
            dropOurs(session);
        });
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
    private void renewViews(Session session) throws SQLException {
        try {
            inTransaction(session, () -> {
                for (String statement : statements()) {
                    Optional<String> view = SqlScript.view(statement);
                    if (view.isPresent() && isOurView(session, view.get())) {
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

    @Override
    protected boolean isOurView(Session session, String view) throws SQLException {
        return session.first(
                        "select definition like '%holdfast_%' from pg_views"
                                + " where schemaname = current_schema() and viewname = ?",
                        row -> row.getBoolean(1), view)
                .orElse(false);
    }

    // ---- what is there

    /** In one query: another process may be creating them, all at once, just now. */
    @Override
    protected OwnTables found(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
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

    private static int meta(Session session, String key) throws SQLException {
        return number(session.first("select value from holdfast_meta where key = ?", row -> row.getString(1), key));
    }

    @Override
    protected boolean isTaken(Session session, String name) throws SQLException {
        return !taken(session, List.of(name)).isEmpty();
    }

    @Override
    protected List<String> taken(Session session, List<String> names) throws SQLException {
        return session.all(
                "select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                        + " where n.nspname = current_schema() and c.relname = any (?)",
                row -> row.getString(1),
                (Object) names.toArray());
    }
}
