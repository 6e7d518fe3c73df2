package dev.holdfast.jdbc.store;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.ServerConnections;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.table.LockSchema;
import dev.holdfast.jdbc.table.SqlTables;
import dev.holdfast.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A database of a server with locks or documents in it, or about to have some.
 *
 * @param <C> the connections to it
 */
public abstract class ServerDatabase<C extends ServerConnections> implements SqlTables {
    protected final C connections;
    protected final LockSchema schema;

    protected ServerDatabase(C connections, LockSchema schema) {
        this.connections = connections;
        this.schema = schema;
    }

    /** Opens the locks, making the tables if they are missing. */
    public abstract RecordStore locks();

    /** Opens the documents, making the tables if they are missing. */
    public abstract DocumentStore documents();

    /** Runs the script that takes the tables of documents away. */
    protected abstract void dropDocuments(Session session) throws SQLException;

    @Override
    public void dropLocks() {
        connections.onTables("removing the tables", session -> {
            schema.drop(session);
            return true;
        });
    }

    @Override
    public void dropDocuments() {
        connections.onTables("removing the documents", session -> {
            new DocumentTables(connections.failures().place()).areThere(session); // refuses what is not ours
            dropDocuments(session);
            return true;
        });
    }

    @Override
    public List<String> repair() {
        return connections.onTables("repairing the tables", schema::repair);
    }

    @Override
    public List<String> hiddenViews() {
        return connections.onTables("looking at the views", schema::hidden);
    }

    @Override
    public Connection reader() throws SQLException {
        return connections.source().getConnection();
    }
}
