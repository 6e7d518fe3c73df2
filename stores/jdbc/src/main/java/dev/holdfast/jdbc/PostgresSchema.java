package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a schema to the tables and views of this version, whoever else does the same at this moment, in one transaction. A
 * schema of a newer version, or with tables of the same name that are not ours, is refused before anything is changed.
 */
final class PostgresSchema {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

    /** The version this code writes. */
    static final int VERSION = 1;

    private static final List<String> TABLES =
            List.of("holdfast_lock", "holdfast_event", "holdfast_fence", "holdfast_meta");
    /** Any number that others do not use for a lock of their own; "holdfast" in ASCII. */
    private static final long ADVISORY = 0x686f6c6466617374L;

    private final String place;

    PostgresSchema(String place) {
        this.place = place;
    }

    /** Does what is missing, on a session that commits by itself. Without anything to do it only reads. */
    void ensure(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
        if (missing(session, schema).isEmpty()) {
            return;
        }
        inTransaction(session, () -> {
            for (String statement : missing(session, schema)) {
                session.execute(statement);
            }
        });
    }

    /** Takes away what is ours, and nothing else. */
    void drop(Session session) throws SQLException {
        String schema = PostgresConnections.schema(session);
        hasTables(session, schema);
        inTransaction(session, () -> {
            for (String statement : SqlScript.statements(SqlScript.text("postgresql-drop.sql"))) {
                Optional<String> view = SqlScript.view(statement);
                if (view.isEmpty() || isOurs(session, schema, view.get())) {
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
            throw e;
        }
        session.connection().setAutoCommit(true);
    }

    // ---- what is there

    private List<String> missing(Session session, String schema) throws SQLException {
        boolean tables = hasTables(session, schema);
        List<String> missing = new ArrayList<>();
        for (String statement : SqlScript.statements(SqlScript.text("postgresql-schema.sql"))) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isPresent() ? isFree(session, schema, view.get()) : !tables) {
                missing.add(statement);
            }
        }
        if (!tables) {
            missing.add("insert into holdfast_meta (key, value) values ('schema', '" + VERSION + "')");
        }
        return missing;
    }

    /** Whether our tables are there. They are created all at once, so anything in between is not of our making. */
    private boolean hasTables(Session session, String schema) throws SQLException {
        List<String> found = named(session, schema, TABLES);
        if (found.isEmpty()) {
            return false;
        }
        int version = found.size() == TABLES.size() ? version(session, schema) : 0;
        if (version < 1) {
            throw new StoreUnusableException(
                    "Schema '" + schema + "' of " + place + " has a table '" + found.get(0)
                            + "' that is not Holdfast's,"
                            + " or only a part of Holdfast's tables. It was not touched; rename that table, or keep the"
                            + " locks in another schema (?currentSchema=...)",
                    null);
        }
        if (version > VERSION) {
            throw new StoreUnusableException(
                    "Schema '" + schema + "' of " + place + " was written by a newer Holdfast (tables of version "
                            + version + ", this one knows " + VERSION + "). It was not touched; upgrade this process",
                    null);
        }
        return true;
    }

    /** The version of our tables; 0 if these are not ours. */
    private static int version(Session session, String schema) throws SQLException {
        if (!isColumn(session, schema, "value") || !isColumn(session, schema, "key")) {
            return 0;
        }
        try (ResultSet row = session.prepare("select value from holdfast_meta where key = 'schema'")
                .executeQuery()) {
            return row.next() ? Integer.parseInt(row.getString(1)) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static boolean isColumn(Session session, String schema, String column) throws SQLException {
        PreparedStatement statement = session.prepare("select 1 from information_schema.columns"
                + " where table_schema = ? and table_name = 'holdfast_meta' and column_name = ?");
        statement.setString(1, schema);
        statement.setString(2, column);
        try (ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    /** Whether a view can be created; if something else has its name, it is left alone, and said. */
    private boolean isFree(Session session, String schema, String view) throws SQLException {
        boolean free = named(session, schema, List.of(view)).isEmpty();
        if (!free && !isOurs(session, schema, view)) {
            LOG.info("{} has its own '{}', so Holdfast's view of that name is not created there", place, view);
        }
        return free;
    }

    private static boolean isOurs(Session session, String schema, String view) throws SQLException {
        PreparedStatement statement = session.prepare(
                "select definition like '%holdfast_%' from pg_views where schemaname = ? and viewname = ?");
        statement.setString(1, schema);
        statement.setString(2, view);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** Which of these names are in use. In one query: another process may be creating them, all at once, just now. */
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
