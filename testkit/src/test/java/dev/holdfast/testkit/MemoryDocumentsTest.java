package dev.holdfast.testkit;

import org.junit.jupiter.api.DisplayName;

@DisplayName("documents in memory")
class MemoryDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        return MemoryDocumentFixture.empty();
    }
}
