package dev.holdfast.jdbc.sqlite;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.StoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite as a store")
class SqliteRecordStoreTest extends RecordStoreContract {
    @TempDir
    Path directory;

    @Override
    protected StoreFixture fixture() throws Exception {
        return new SqliteFixture(Files.createTempDirectory(directory, "store"));
    }
}
