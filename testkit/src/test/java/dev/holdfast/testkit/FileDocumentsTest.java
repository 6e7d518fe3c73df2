package dev.holdfast.testkit;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("documents as files")
class FileDocumentsTest extends DocumentContract {
    @TempDir
    Path directory;

    @Override
    protected DocumentFixture fixture() throws Exception {
        Path own = Files.createTempDirectory(directory, "documents");
        return new DocumentFixture() {
            @Override
            public DocumentStore open() {
                return DocumentStores.open("file:" + own);
            }

            @Override
            public int many() {
                return 1_010; // several times to the disk for each, and more than a page
            }

            @Override
            public void close() {}
        };
    }
}
