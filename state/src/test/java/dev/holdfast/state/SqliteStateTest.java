package dev.holdfast.state;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("state on documents in SQLite")
final class SqliteStateTest extends StateContract {
    @TempDir
    private Path directory;

    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.at("sqlite:" + directory.resolve("documents.db"));
    }
}
