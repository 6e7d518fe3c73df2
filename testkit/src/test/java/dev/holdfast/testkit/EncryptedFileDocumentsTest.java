package dev.holdfast.testkit;

import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.documents.EncryptedFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("encrypted documents as files")
class EncryptedFileDocumentsTest extends FileDocumentsTest {
    @Override
    protected DocumentFixture fixture() throws Exception {
        return EncryptedFixture.on(super.fixture());
    }
}
