package dev.holdfast.jdbc.postgres;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.connection.ConnectionSource;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.documents.JdbcDocuments;
import dev.holdfast.jdbc.store.ServerDatabase;
import dev.holdfast.spi.RecordStore;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.PGConnection;

/** A PostgreSQL database with locks or documents in it, or about to have some. */
public final class PostgresDatabase extends ServerDatabase<PostgresConnections> {
    private static final String NOW = "clock_timestamp()";

    private final String nowSql;

    /** The database of this source; {@code place} names it in messages. */
    public PostgresDatabase(ConnectionSource source, String place, ConnectionSettings settings) {
        this(source, place, settings, NOW);
    }

    /** The same by another clock than the server's own. */
    PostgresDatabase(ConnectionSource source, String place, ConnectionSettings settings, String nowSql) {
        super(new PostgresConnections(source, place, settings, nowSql), new PostgresSchema(place));
        this.nowSql = nowSql;
    }

    public static PostgresDatabase at(String url, ConnectionSettings settings) {
        return new PostgresDatabase(
                source(url, settings), DatabaseUrl.of(url, "postgresql").shown(), settings);
    }

    public static ConnectionSource source(String url, ConnectionSettings settings) {
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
        return ConnectionSource.own(() -> DriverManager.getConnection(database.jdbc(), properties));
    }

    // ---- locks

    @Override
    public RecordStore locks() {
        return connections.opening(session -> {
            schema.ensure(session);
            boolean listens = !connections.pooled() && session.connection().isWrapperFor(PGConnection.class);
            PostgresChannels channels = new PostgresChannels(channel(PostgresConnections.schema(session)));
            PostgresBatch batch = new PostgresBatch(connections, channels, nowSql);
            return new PostgresDialect(connections, batch, listens)
                    .open(listens ? Optional.of(new PostgresListener(connections, channels)) : Optional.empty());
        });
    }

    /** Stores of several schemas in one database do not wake each other. */
    private static String channel(String schema) {
        return "holdfast_" + Long.toHexString(schema.hashCode() * 0x9E3779B97F4A7C15L ^ schema.length());
    }

    // ---- documents

    @Override
    public DocumentStore documents() {
        connections.opening(session -> {
            PostgresConnections.schema(session); // refuses a search path that leads nowhere
            if (!new DocumentTables(connections.failures().place()).areThere(session)) {
                PostgresSchema.inTransaction(session, () -> DocumentTables.run(session, "postgresql-documents.sql"));
            }
            return true;
        });
        return JdbcDocuments.onServer(new PostgresDocumentDialect(connections));
    }

    @Override
    protected void dropDocuments(Session session) throws SQLException {
        PostgresSchema.inTransaction(session, () -> DocumentTables.run(session, "documents-drop.sql"));
    }
}
