package dev.holdfast.jdbc.mariadb;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.connection.ConnectionSource;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.documents.JdbcDocuments;
import dev.holdfast.jdbc.store.ServerDatabase;
import dev.holdfast.spi.RecordStore;
import java.sql.SQLException;
import java.util.Optional;

/** A MariaDB or MySQL database with locks or documents in it, or about to have some. */
public final class MariadbDatabase extends ServerDatabase<MariadbConnections> {
    private static final String NOW = "sysdate(6)";

    private final String nowSql;

    /** The database of this source; {@code place} names it in messages. */
    public MariadbDatabase(ConnectionSource source, String place, ConnectionSettings settings) {
        this(source, place, settings, NOW);
    }

    /** The same by another clock than the server's own. */
    MariadbDatabase(ConnectionSource source, String place, ConnectionSettings settings, String nowSql) {
        super(new MariadbConnections(source, new MariadbFailures(place), settings, nowSql), new MariadbSchema(place));
        this.nowSql = nowSql;
    }

    public static MariadbDatabase at(String url, ConnectionSettings settings) {
        return new MariadbDatabase(
                MariadbDriver.source(url, settings),
                DatabaseUrl.of(url, "mariadb").shown(),
                settings);
    }

    // ---- locks

    @Override
    public RecordStore locks() {
        connections.opening(session -> {
            schema.ensure(session);
            return true;
        });
        return new MariadbDialect(connections, new MariadbBatch(nowSql)).open(Optional.empty());
    }

    // ---- documents

    @Override
    public DocumentStore documents() {
        long packet = connections.opening(session -> {
            if (!new DocumentTables(connections.failures().place()).areThere(session)) {
                DocumentTables.run(session, "mariadb-documents.sql"); // the server lets one at a time make a table
            }
            return session.first("select @@max_allowed_packet", row -> row.getLong(1))
                    .orElseThrow();
        });
        return JdbcDocuments.onServer(new MariadbDocumentDialect(connections, packet));
    }

    @Override
    protected void dropDocuments(Session session) throws SQLException {
        DocumentTables.run(session, "documents-drop.sql");
    }
}
