package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code mariadb://user:password@host/database}. */
public final class MariadbDocumentFactory implements DocumentFactory {
    /** For {@link java.util.ServiceLoader}. */
    public MariadbDocumentFactory() {}

    @Override
    public boolean accepts(String url) {
        return new MariadbStoreFactory().accepts(url);
    }

    @Override
    public String example() {
        return new MariadbStoreFactory().example();
    }

    @Override
    public DocumentStore open(String url) {
        return MariadbDocuments.open(url);
    }
}
