package dev.holdfast.testkit.documents;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.util.Optional;

/** What a document store brings to be tested: an empty place, and clients on it. Made anew for every test and closed after it. */
public interface DocumentFixture extends AutoCloseable {
    /** A new client on the fixture's place, as another process would have. */
    DocumentStore open();

    /** Whether a client refuses requests after it was closed; not so where all clients are one object. */
    default boolean endsOnClose() {
        return true;
    }

    /** How many documents are listed in pages: fewer where each costs several requests. */
    default int many() {
        return 2_500;
    }

    /** The size of a large document, in bytes, as far as the store takes it. */
    default int large() {
        return 5_000_000;
    }

    /** How often each of eight threads changes one document: less where that is slow. */
    default int rounds() {
        return 25;
    }

    /** The line to a real server, where the fixture can cut it. */
    default Optional<StoreFixture.Line> line() {
        return Optional.empty();
    }

    /** Gives back what the fixture took. */
    @Override
    void close();
}
