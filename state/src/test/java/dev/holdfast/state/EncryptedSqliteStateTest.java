package dev.holdfast.state;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("encrypted state on documents in SQLite")
final class EncryptedSqliteStateTest extends StateContract {
    @TempDir
    private Path directory;

    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.at("sqlite:" + directory.resolve("documents.db"));
    }

    @Override
    StateManager manager(LockClient with, DocumentStore on) {
        return StateManager.on(with, on, StateConfig.DEFAULT.withClock(clock()).withKeys(EncryptedFixture.keys('a')));
    }
}
