package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.sqlite.SqliteDocumentDialect;
import dev.holdfast.spi.StoreException;
import java.nio.file.Path;

/**
 * Documents in an SQLite file of this machine, shared by any number of processes. The file is one of its own, beside that of the
 * locks: a large save keeps no lock waiting, and a server that has the file of the locks for itself is no obstacle.
 */
public final class SqliteDocuments {
    private SqliteDocuments() {}

    /**
     * Opens the documents beside this file of locks, which need not exist, creating their file if it is missing.
     *
     * @throws StoreException saying which file, what is wrong, and what to do
     */
    public static DocumentStore open(Path locks) {
        return SqliteDocumentDialect.open(locks);
    }

    /** Whether there is a file with documents beside this file of locks; {@link #open} would make it. */
    public static boolean exist(Path locks) {
        return SqliteDocumentDialect.exist(locks);
    }
}
