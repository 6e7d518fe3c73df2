package dev.holdfast.jdbc.documents;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.Writes;
import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.spi.StoreUnavailableException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Documents in an SQL database: a row for each, and one for each different content.
 *
 * <pre>
 *   look    select … from holdfast_document where name = ?
 *   get     the same with its content, in one query
 *   write   one transaction, see {@link DocumentTransaction}
 *   list    select … where name &gt;= ? and name &lt; ? [and leaf = ?] order by name limit ?
 * </pre>
 */
public final class JdbcDocuments implements DocumentStore {
    /** Each round that loses a race is one that somebody else won, so this many are lost only by a crowd. */
    private static final int MAX_RACES = 50;
    /** The longest pause before the next round, in nanoseconds. */
    private static final long MAX_PAUSE = 10_000_000;
    /** Connections to a server for each of writing and reading, under load. */
    private static final int ON_SERVER = 4;

    private final DocumentDialect dialect;
    private final Lanes writers;
    private final Lanes readers;

    private JdbcDocuments(DocumentDialect dialect, int mostWriters, int mostReaders) {
        this.dialect = dialect;
        this.writers = Lanes.ofNone(dialect.database(), ConnectionRole.DOCUMENT_WRITER, mostWriters);
        this.readers = Lanes.ofNone(dialect.database(), ConnectionRole.DOCUMENT_READER, mostReaders);
    }

    /** Documents on a server, whose tables are there. */
    public static DocumentStore onServer(DocumentDialect dialect) {
        return open(dialect, ON_SERVER, ON_SERVER);
    }

    /** Documents whose tables are there, with one connection each for writing and reading, and later up to these. */
    public static DocumentStore open(DocumentDialect dialect, int mostWriters, int mostReaders) {
        JdbcDocuments documents = new JdbcDocuments(dialect, mostWriters, mostReaders);
        try {
            documents.writers.open();
            documents.readers.open();
            return documents;
        } catch (RuntimeException e) {
            documents.close();
            throw e;
        }
    }

    @Override
    public String kind() {
        return dialect.kind();
    }

    @Override
    public long maxSize() {
        return dialect.maxSize();
    }

    @Override
    public boolean isAtomic() {
        return true;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        DocumentNames.checked(name);
        return readers.run(
                "looking at document '" + name + "'",
                session -> DocumentRows.find(session, List.of(name), "").stream()
                        .findFirst()
                        .map(DocumentRows.Row::head));
    }

    @Override
    public Optional<Document> get(String name) {
        DocumentNames.checked(name);
        String doing = "reading document '" + name + "'";
        return readers.run(doing, session -> {
            try {
                return ContentRows.read(session, dialect, name, maxSize());
            } catch (SQLException e) {
                throwIfTooLarge(doing, e);
                throw e;
            }
        });
    }

    private void throwIfTooLarge(String doing, SQLException e) {
        dialect.tooLarge(doing, e).ifPresent(tooLarge -> {
            throw tooLarge;
        });
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        Writes.check(this, changes);
        DocumentTransaction write = new DocumentTransaction(dialect, changes);
        String doing = "writing document '" + changes.get(0).name() + "'"
                + (changes.size() > 1 ? " and " + (changes.size() - 1) + " more" : "");
        WriteOutcome outcome = writers.run(doing, session -> inTurn(session, write, doing));
        if (outcome instanceof WriteOutcome.Written) {
            dialect.written(write.size());
        }
        return outcome;
    }

    private WriteOutcome inTurn(Session session, DocumentTransaction write, String doing) throws SQLException {
        for (int round = 0; round < MAX_RACES; round++) {
            try {
                return write.run(session);
            } catch (SQLException e) {
                throwIfTooLarge(doing, e);
                if (!dialect.isRace(e) || !session.recover()) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE));
            }
        }
        throw new StoreUnavailableException(
                "Others changed the same documents in "
                        + dialect.database().failures().place() + " at the same moment, " + MAX_RACES
                        + " times in a row (while " + doing + "); try again",
                null);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return readers.run("listing documents", session -> DocumentRows.list(session, request));
    }

    @Override
    public void close() {
        dialect.close();
        writers.close();
        readers.close();
    }
}
