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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Documents in an SQLite file of their own, beside that of the locks. */
public final class SqliteDocumentDialect implements DocumentDialect {
    /** What SQLite takes for one value, less some room for the row around it. */
    private static final long MAX_SIZE = 999_000_000;
    /** Another process may be writing a large one. */
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);
    /** Reading does not wait for writing, so several may. */
    private static final int READERS = 4;

    private static final String CONTENT_INDEX = "holdfast_document_content";
    /** A version that counted uses takes away documents, and leaves a content whose count was too high. */
    private static final String UNUSED = "from holdfast_content where not exists"
            + " (select 1 from holdfast_document d where d.content = holdfast_content.id)";

    private static final Logger LOG = LoggerFactory.getLogger(SqliteDocumentDialect.class);

    private final SqliteConnections connections;
    private final SqliteCheckpoints checkpoints;

    private SqliteDocumentDialect(Path file) {
        this.connections = SqliteConnections.forDocuments(file, BUSY_TIMEOUT);
        this.checkpoints = new SqliteCheckpoints(connections);
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
            } else {
                database.bringUpToDate(session);
            }
        } catch (SQLException e) {
            throw database.connections.failures().of("opening it", e);
        }
        return JdbcDocuments.open(database, 1, READERS);
    }

    /** What an older version made, or left behind. Documents can be read and written without it, only slower. */
    private void bringUpToDate(Session session) {
        try {
            boolean isIndexed = session.first(
                            "select 1 from sqlite_master where type = 'index' and name = ?",
                            row -> row.getInt(1),
                            CONTENT_INDEX)
                    .isPresent();
            if (!isIndexed) {
                DocumentTables.run(session, "sqlite-documents.sql");
            }
            if (session.first("select 1 " + UNUSED + " limit 1", row -> row.getInt(1))
                    .isPresent()) {
                session.execute("delete " + UNUSED);
            }
        } catch (SQLException e) {
            LOG.warn(
                    "{} could not be brought up to date and is used as it is: {}",
                    connections.failures().place(),
                    e.getMessage());
        }
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

    /** SQLite writes a whole row again to change a number in it, and the row of a content is large. */
    @Override
    public boolean countsUses() {
        return false;
    }

    @Override
    public String dropContent() {
        return "delete from holdfast_content where id = ?1 and not exists"
                + " (select 1 from holdfast_document where content = ?1)";
    }

    @Override
    public void written(long bytes) {
        checkpoints.written(bytes);
    }

    @Override
    public void close() {
        checkpoints.close();
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
