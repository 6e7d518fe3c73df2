package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code sqlite:path}, whoever has the locks open and how. */
public final class SqliteDocumentFactory implements DocumentFactory {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteDocumentFactory() {}

    @Override
    public boolean accepts(String url) {
        return new SqliteStoreFactory().accepts(url);
    }

    @Override
    public String example() {
        return new SqliteStoreFactory().example();
    }

    @Override
    public DocumentStore open(String url) {
        SqliteStoreFactory.checkParameters(url);
        return SqliteDocuments.open(SqliteStoreFactory.file(url));
    }
}
