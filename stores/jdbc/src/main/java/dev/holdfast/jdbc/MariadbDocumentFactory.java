package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code mariadb://user:password@host/database}. */
public final class MariadbDocumentFactory extends JdbcDocumentFactory {
    public MariadbDocumentFactory() {
        super(new MariadbStoreFactory());
    }

    @Override
    public DocumentStore open(String url) {
        return MariadbDocuments.open(url);
    }
}
