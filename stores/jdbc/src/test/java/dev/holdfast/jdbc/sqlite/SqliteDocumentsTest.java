package dev.holdfast.jdbc.sqlite;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("documents in SQLite")
class SqliteDocumentsTest extends DocumentContract {
    @TempDir
    Path directory;

    @Override
    protected DocumentFixture fixture() throws Exception {
        Path file = Files.createTempDirectory(directory, "documents").resolve("holdfast.db");
        return new DocumentFixture() {
            @Override
            public DocumentStore open() {
                return DocumentStores.open("sqlite:" + file);
            }

            @Override
            public void close() {}
        };
    }
}
