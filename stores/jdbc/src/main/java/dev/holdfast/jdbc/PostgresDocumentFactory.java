package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code postgresql://user:password@host/database}. */
public final class PostgresDocumentFactory extends JdbcDocumentFactory {
    public PostgresDocumentFactory() {
        super(new PostgresStoreFactory());
    }

    @Override
    public DocumentStore open(String url) {
        PostgresStoreFactory.requireDriver(url);
        return PostgresDocuments.open(url);
    }
}
