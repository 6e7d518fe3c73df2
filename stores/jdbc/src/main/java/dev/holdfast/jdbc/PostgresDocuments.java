package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.jdbc.postgres.PostgresDatabase;
import dev.holdfast.spi.StoreException;

/** Documents in a PostgreSQL database, 14 or newer, in two tables beside those of the locks. */
public final class PostgresDocuments {
    private PostgresDocuments() {}

    /**
     * Opens the documents in the database with this URL, as {@link PostgresStore#open(String, PostgresConfig)} opens the locks,
     * creating the tables if they are missing.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do; nothing was changed then
     */
    public static DocumentStore open(String url) {
        return PostgresDatabase.at(url, PostgresConfig.DEFAULT.settings().forDocuments())
                .documents();
    }
}
