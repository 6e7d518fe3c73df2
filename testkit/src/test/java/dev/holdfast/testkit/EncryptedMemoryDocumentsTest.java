package dev.holdfast.testkit;

import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.documents.EncryptedFixture;
import dev.holdfast.testkit.documents.MemoryDocumentFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("encrypted documents in memory")
class EncryptedMemoryDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        return EncryptedFixture.on(MemoryDocumentFixture.empty());
    }
}
