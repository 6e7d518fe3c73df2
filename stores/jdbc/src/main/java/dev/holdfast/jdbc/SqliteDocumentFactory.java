package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code sqlite:path}, whoever has the locks open and how. */
public final class SqliteDocumentFactory extends JdbcDocumentFactory {
    public SqliteDocumentFactory() {
        super(new SqliteStoreFactory());
    }

    @Override
    public DocumentStore open(String url) {
        SqliteStoreFactory.checkParameters(url);
        return SqliteDocuments.open(SqliteStoreFactory.file(url));
    }
}
