package dev.holdfast.jdbc.postgres;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.jdbc.connection.ServerSettings;
import dev.holdfast.jdbc.connection.UrlSource;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.documents.JdbcDocuments;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import java.sql.DriverManager;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** A PostgreSQL database with locks or documents in it, or about to have some. */
public final class PostgresDatabase {
    private static final String NOW = "clock_timestamp()";

    private final String place;
    private final String nowSql;
    private final PostgresConnections connections;
    private final PostgresSchema schema;

    /** The database of this source; {@code place} names it in messages. */
    public PostgresDatabase(DataSource source, String place, ServerSettings settings) {
        this(source, place, settings, NOW);
    }

    /** The same by another clock than the server's own. */
    PostgresDatabase(DataSource source, String place, ServerSettings settings, String nowSql) {
        this.place = place;
        this.nowSql = nowSql;
        this.connections = new PostgresConnections(source, place, settings, nowSql);
        this.schema = new PostgresSchema(place);
    }

    /** The database with this URL. */
    public static PostgresDatabase at(String url, ServerSettings settings) {
        return new PostgresDatabase(
                source(url, settings), DatabaseUrl.of(url, "postgresql").shown(), settings);
    }

    /** Connections by URL: what a pool would do is done by the lanes. */
    public static DataSource source(String url, ServerSettings settings) {
        DatabaseUrl database = DatabaseUrl.of(url, "postgresql");
        Properties properties = new Properties();
        String within = Long.toString(Math.max(1, settings.connectTimeout().toSeconds()));
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

    // ---- locks

    /** Opens the locks, making the tables if they are missing. */
    public RecordStore locks() {
        return connections.opening(session -> {
            schema.ensure(session);
            boolean listens = !connections.pooled() && session.connection().isWrapperFor(PGConnection.class);
            String channel = channel(PostgresConnections.schema(session));
            PostgresBatch batch = new PostgresBatch(connections, channel, nowSql);
            return new PostgresDialect(connections, batch, listens)
                    .open(listens ? Optional.of(new PostgresListener(connections, channel)) : Optional.empty());
        });
    }

    /** Stores of several schemas in one database do not wake each other. */
    private static String channel(String schema) {
        return "holdfast_" + Long.toHexString(schema.hashCode() * 0x9E3779B97F4A7C15L ^ schema.length());
    }

    /** Takes away the tables and views of the locks. */
    public void drop() {
        connections.onTables("removing the tables", session -> {
            schema.drop(session);
            return true;
        });
    }

    /** Makes anew what is missing, and says what was. */
    public List<String> repair() {
        return connections.onTables("repairing the tables", schema::repair);
    }

    /** The names of our views that a table or view of somebody else has. */
    public List<String> hiddenViews() {
        return connections.onTables("looking at the views", schema::hidden);
    }

    // ---- documents

    /** Opens the documents, making the tables if they are missing. */
    public DocumentStore documents() {
        connections.opening(session -> {
            PostgresConnections.schema(session); // refuses a search path that leads nowhere
            if (!new DocumentTables(place).areThere(session)) {
                PostgresSchema.inTransaction(session, () -> DocumentTables.run(session, "postgresql-documents.sql"));
            }
            return true;
        });
        return JdbcDocuments.onServer(new PostgresDocumentDialect(connections));
    }

    /** Takes away the tables of the documents. */
    public void dropDocuments() {
        connections.onTables("removing the documents", session -> {
            new DocumentTables(place).areThere(session); // refuses what is not ours
            PostgresSchema.inTransaction(session, () -> DocumentTables.run(session, "documents-drop.sql"));
            return true;
        });
    }

    /** The statements that create what is kept for locks. */
    public static String schemaSql() {
        return SqlScript.text("postgresql-schema.sql");
    }
}
