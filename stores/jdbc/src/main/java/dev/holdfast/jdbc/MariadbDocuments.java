package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.mariadb.MariadbDatabase;
import dev.holdfast.spi.StoreException;

/**
 * Documents in a MariaDB database, 10.6 or newer, or a MySQL database, 8.0.21 or newer, in two tables beside those of the locks.
 * A content must fit into one packet of the server, which may have to carry it in twice its size: with the usual
 * {@code max_allowed_packet} of 16 MB that is almost 8 MB. Raise that setting for larger ones.
 */
public final class MariadbDocuments {
    private MariadbDocuments() {}

    /**
     * Opens the documents in the database with this URL, as {@link MariadbStore#open(String, MariadbConfig)} opens the locks,
     * creating the tables if they are missing.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do
     */
    public static DocumentStore open(String url) {
        return MariadbDatabase.at(url, MariadbConfig.DEFAULT.settings().forDocuments())
                .documents();
    }
}
