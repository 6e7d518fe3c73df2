package dev.holdfast.jdbc.documents;

import dev.holdfast.documents.Document;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code holdfast_content}. Statements with bytes in them are not kept: each would keep the last content it was used
 * for.
 */
final class ContentRows {
    private static final String USE = "update holdfast_content set uses = uses + ? where id = ?";
    private static final String NEXT_PART = "select substring(bytes from ? for ?) from holdfast_content where id = ?";

    private ContentRows() {}

    /** So many documents more have this content. It is sent only if it is not there yet. */
    static void use(Session session, DocumentDialect dialect, String id, int uses, byte[] bytes) throws SQLException {
        if (addUses(session, id, uses) > 0) {
            return;
        }
        try (PreparedStatement statement = session.connection().prepareStatement(dialect.addContent())) {
            statement.setString(1, id);
            statement.setLong(2, uses);
            statement.setBytes(3, bytes);
            statement.executeUpdate();
        }
    }

    /** So many have it no more; with the last it goes. */
    static void leave(Session session, DocumentDialect dialect, String id, int uses) throws SQLException {
        addUses(session, id, -uses);
        dropUnused(session, dialect, id);
    }

    /** Some have it no more, and that is written already; with the last it goes. */
    static void dropUnused(Session session, DocumentDialect dialect, String id) throws SQLException {
        session.update(dialect.dropContent(), id);
    }

    private static int addUses(Session session, String id, long uses) throws SQLException {
        return session.update(USE, uses, id);
    }

    /** A document and its content: as much as comes with the first query, then the rest; from the start if that is replaced meanwhile. */
    static Optional<Document> read(Session session, DocumentDialect dialect, String name, long maxSize)
            throws SQLException {
        while (true) {
            Optional<Start> start = start(session, dialect, name);
            if (start.isEmpty()) {
                return Optional.empty();
            }
            long size = start.get().part().head().size();
            if (size > maxSize) {
                throw new StoreUnusableException(
                        "Document '" + name + "' in "
                                + dialect.database().failures().place() + " has " + size + " bytes, more than the "
                                + maxSize
                                + " that can be read here; raise the limit here to the one it was written with",
                        null);
            }
            byte @Nullable [] whole = whole(session, dialect, start.get(), (int) size);
            if (whole != null) {
                return Optional.of(new Document(start.get().part().head(), whole));
            }
        }
    }

    /** What the first query tells: the document with the beginning of its content, and the id of that. */
    private record Start(Document part, String content) {}

    private static Optional<Start> start(Session session, DocumentDialect dialect, String name) throws SQLException {
        String sql = "select d.name, d.tag, d.size, d.attributes, d.content, " + dialect.firstPart()
                + " from holdfast_document d left join holdfast_content c on c.id = d.content where d.name = ?";
        return session.first(
                sql,
                row -> {
                    byte[] bytes = row.getBytes(6);
                    DocumentRows.Row found = DocumentRows.row(row);
                    Document part = new Document(found.head(), bytes == null ? new byte[0] : bytes);
                    return new Start(part, found.content());
                },
                name);
    }

    private static byte @Nullable [] whole(Session session, DocumentDialect dialect, Start start, int size)
            throws SQLException {
        if (start.part().content().length == size) {
            return start.part().content();
        }
        if (start.part().content().length != dialect.part()) {
            throw damaged(dialect, start);
        }
        byte[] whole = new byte[size];
        System.arraycopy(start.part().content(), 0, whole, 0, start.part().content().length);
        for (int read = start.part().content().length; read < size; ) {
            byte[] next = session.first(NEXT_PART, row -> row.getBytes(1), read + 1, dialect.part(), start.content())
                    .orElse(null);
            if (next == null) {
                return null; // the document was replaced, and its content went with it
            }
            if (next.length == 0 || next.length > size - read) {
                throw damaged(dialect, start);
            }
            System.arraycopy(next, 0, whole, read, next.length);
            read += next.length;
        }
        return whole;
    }

    private static StoreUnusableException damaged(DocumentDialect dialect, Start start) {
        return new StoreUnusableException(
                "The content of document '" + start.part().head().name() + "' in "
                        + dialect.database().failures().place()
                        + " is missing or does not have the size it was written with ("
                        + start.part().head().size()
                        + " bytes). It was not touched; restore holdfast_content from a backup",
                null);
    }
}
