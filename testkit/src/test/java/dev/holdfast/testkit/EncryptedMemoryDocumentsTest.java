package dev.holdfast.testkit;

import org.junit.jupiter.api.DisplayName;

@DisplayName("encrypted documents in memory")
class EncryptedMemoryDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        return EncryptedFixture.on(MemoryDocumentFixture.empty());
    }
}
