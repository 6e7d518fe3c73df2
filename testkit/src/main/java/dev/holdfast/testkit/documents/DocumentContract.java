package dev.holdfast.testkit.documents;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What a {@link dev.holdfast.documents.DocumentStore} owes, one sentence per test. A store's own test extends this and brings a
 * {@link DocumentFixture}; where the real server is missing, the fixture skips with the reason.
 */
public abstract class DocumentContract {
    /** A fixture on an empty place; called for every test. */
    protected abstract DocumentFixture fixture() throws Exception;

    @Nested
    @DisplayName("a change of a document")
    class Changes extends DocumentWriteCases {}

    @Nested
    @DisplayName("what is written is what is read")
    class Contents extends DocumentContentCases {}

    @Nested
    @DisplayName("a listing of documents")
    class Listings extends DocumentListCases {}

    @Nested
    @DisplayName("several clients")
    class Sharing extends DocumentSharingCases {}
}
