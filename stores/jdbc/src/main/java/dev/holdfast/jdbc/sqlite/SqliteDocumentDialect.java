package dev.holdfast.jdbc.sqlite;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import dev.holdfast.jdbc.documents.DocumentDialect;
import dev.holdfast.jdbc.documents.DocumentTables;
import dev.holdfast.jdbc.documents.JdbcDocuments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Documents in an SQLite file of their own, beside that of the locks. */
public final class SqliteDocumentDialect implements DocumentDialect {
    /** What SQLite takes for one value, less some room for the row around it. */
    private static final long MAX_SIZE = 999_000_000;
    /** Another process may be writing a large one. */
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);
    /** Reading does not wait for writing, so several may. */
    private static final int READERS = 4;

    private final SqliteConnections connections;

    private SqliteDocumentDialect(Path file) {
        this.connections = SqliteConnections.forDocuments(file, BUSY_TIMEOUT);
    }

    /** Opens the documents beside this file of locks, making their file if it is missing. */
    public static DocumentStore open(Path locks) {
        Path file = beside(locks);
        SqliteDocumentDialect database = new SqliteDocumentDialect(file);
        try (Connection connection = database.connections.create()) {
            Session session = new Session(connection);
            if (!new DocumentTables(database.connections.failures().place()).areThere(session)) {
                new SqliteSchema(file, BUSY_TIMEOUT).useWriteAheadLog(session);
                session.execute("begin immediate");
                DocumentTables.run(session, "sqlite-documents.sql");
                session.execute("commit");
            }
        } catch (SQLException e) {
            throw database.connections.failures().of("opening it", e);
        }
        return JdbcDocuments.open(database, 1, READERS);
    }

    /** Whether there is a file with documents beside this file of locks; {@link #open} would make it. */
    public static boolean exist(Path locks) {
        return Files.exists(beside(locks));
    }

    /** Takes away the tables beside this file of locks, with all documents; other things in the file stay. */
    static void drop(Path locks) {
        Path file = beside(locks);
        if (!Files.exists(file)) {
            return;
        }
        SqliteDocumentDialect database = new SqliteDocumentDialect(file);
        try (Connection connection = database.connections.create()) {
            Session session = new Session(connection);
            new DocumentTables(database.connections.failures().place()).areThere(session);
            session.execute("begin immediate");
            DocumentTables.run(session, "documents-drop.sql");
            session.execute("commit");
        } catch (SQLException e) {
            throw database.connections.failures().of("removing the documents", e);
        }
    }

    /** {@code locks.db} has {@code locks-documents.db}, {@code locks} has {@code locks-documents}, where links lead to. */
    static Path beside(Path locks) {
        Path real = SqliteFiles.resolve(locks);
        return SqliteFiles.resolve(real.resolveSibling(nameBeside(real)));
    }

    /** What the file beside this file of locks is called. */
    public static String nameBeside(Path locks) {
        String name = String.valueOf(locks.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) + "-documents" + name.substring(dot) : name + "-documents";
    }

    @Override
    public SqlDatabase database() {
        return connections;
    }

    @Override
    public String kind() {
        return "sqlite";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    /** A statement that writes nothing takes the write lock all the same: what is read after it stays. */
    @Override
    public void begin(Session session) throws SQLException {
        session.prepare("delete from holdfast_content where 1 = 0").executeUpdate();
    }

    /** Whoever writes here is alone. */
    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public boolean isRace(SQLException e) {
        return false;
    }
}
