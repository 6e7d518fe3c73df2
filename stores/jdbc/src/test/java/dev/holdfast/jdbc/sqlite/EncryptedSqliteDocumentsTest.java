package dev.holdfast.jdbc.sqlite;

import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.documents.EncryptedFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("encrypted documents in SQLite")
class EncryptedSqliteDocumentsTest extends SqliteDocumentsTest {
    @Override
    protected DocumentFixture fixture() throws Exception {
        return EncryptedFixture.on(super.fixture());
    }
}
