package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.spi.StoreFactory;

/** Opens the documents beside the locks that another factory opens. */
abstract class JdbcDocumentFactory implements DocumentFactory {
    private final StoreFactory locks;

    JdbcDocumentFactory(StoreFactory locks) {
        this.locks = locks;
    }

    @Override
    public boolean accepts(String url) {
        return locks.accepts(url);
    }

    @Override
    public String example() {
        return locks.example();
    }
}
