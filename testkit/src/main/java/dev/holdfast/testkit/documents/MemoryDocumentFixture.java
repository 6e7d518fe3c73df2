package dev.holdfast.testkit.documents;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.MemoryDocuments;

/** Documents of this process; all clients are one object. */
public final class MemoryDocumentFixture implements DocumentFixture {
    private final DocumentStore store = new MemoryDocuments();

    private MemoryDocumentFixture() {}

    public static MemoryDocumentFixture empty() {
        return new MemoryDocumentFixture();
    }

    @Override
    public DocumentStore open() {
        return store;
    }

    @Override
    public boolean endsOnClose() {
        return false;
    }

    @Override
    public void close() {}
}
