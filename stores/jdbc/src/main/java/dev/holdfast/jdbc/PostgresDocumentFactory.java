package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code postgresql://user:password@host/database}. */
public final class PostgresDocumentFactory implements DocumentFactory {
    /** For {@link java.util.ServiceLoader}. */
    public PostgresDocumentFactory() {}

    @Override
    public boolean accepts(String url) {
        return new PostgresStoreFactory().accepts(url);
    }

    @Override
    public String example() {
        return new PostgresStoreFactory().example();
    }

    @Override
    public DocumentStore open(String url) {
        PostgresStoreFactory.requireDriver(url);
        return PostgresDocuments.open(url);
    }
}
