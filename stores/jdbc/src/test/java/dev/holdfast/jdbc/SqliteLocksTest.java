package dev.holdfast.jdbc;

import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.StoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("locks in SQLite")
class SqliteLocksTest extends LockContract {
    @TempDir
    Path directory;

    @Override
    protected StoreFixture fixture() throws Exception {
        return new SqliteFixture(Files.createTempDirectory(directory, "locks"));
    }
}
