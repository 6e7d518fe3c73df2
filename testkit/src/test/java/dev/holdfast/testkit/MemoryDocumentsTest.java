package dev.holdfast.testkit;

import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.documents.MemoryDocumentFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("documents in memory")
class MemoryDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        return MemoryDocumentFixture.empty();
    }
}
