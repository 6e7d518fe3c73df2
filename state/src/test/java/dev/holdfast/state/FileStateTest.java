package dev.holdfast.state;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("state on documents in files")
final class FileStateTest extends StateContract {
    @TempDir
    private Path directory;

    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.at("file:" + directory.resolve("documents"));
    }
}
