package dev.holdfast.jdbc.sqlite;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("SQLite as a store")
class SqliteRecordStoreTest extends RecordStoreContract {
    @TempDir
    Path directory;

    @Override
    protected StoreFixture fixture() throws Exception {
        return new SqliteFixture(Files.createTempDirectory(directory, "store"));
    }
}
