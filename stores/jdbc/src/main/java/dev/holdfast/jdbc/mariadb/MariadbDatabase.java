package dev.holdfast.jdbc.mariadb;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.jdbc.connection.ServerSettings;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.documents.JdbcDocuments;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** A MariaDB or MySQL database with locks or documents in it, or about to have some. */
public final class MariadbDatabase {
    private static final String NOW = "sysdate(6)";

    private final String place;
    private final String nowSql;
    private final MariadbConnections connections;
    private final MariadbSchema schema;

    /** The database of this source; {@code place} names it in messages. */
    public MariadbDatabase(DataSource source, String place, ServerSettings settings) {
        this(source, place, settings, NOW);
    }

    /** The same by another clock than the server's own. */
    MariadbDatabase(DataSource source, String place, ServerSettings settings, String nowSql) {
        this.place = place;
        this.nowSql = nowSql;
        this.connections = new MariadbConnections(source, new MariadbFailures(place), settings, nowSql);
        this.schema = new MariadbSchema(place);
    }

    /** The database with this URL. */
    public static MariadbDatabase at(String url, ServerSettings settings) {
        return new MariadbDatabase(
                MariadbDriver.source(url, settings), DatabaseUrl.of(url, "mariadb").shown(), settings);
    }

    // ---- locks

    /** Opens the locks, making the tables if they are missing. */
    public RecordStore locks() {
        connections.opening(session -> {
            schema.ensure(session);
            return true;
        });
        return new MariadbDialect(connections, new MariadbBatch(nowSql)).open(Optional.empty());
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
        long packet = connections.opening(session -> {
            if (!new DocumentTables(place).areThere(session)) {
                DocumentTables.run(session, "mariadb-documents.sql"); // the server lets one at a time make a table
            }
            return packet(session);
        });
        return JdbcDocuments.onServer(new MariadbDocumentDialect(connections, packet));
    }

    private static long packet(Session session) throws SQLException {
        try (ResultSet row = session.prepare("select @@max_allowed_packet").executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Takes away the tables of the documents. */
    public void dropDocuments() {
        connections.onTables("removing the documents", session -> {
            new DocumentTables(place).areThere(session); // refuses what is not ours
            DocumentTables.run(session, "documents-drop.sql");
            return true;
        });
    }

    /** The statements that create what is kept for locks. */
    public static String schemaSql() {
        return SqlScript.text("mariadb-schema.sql");
    }
}
