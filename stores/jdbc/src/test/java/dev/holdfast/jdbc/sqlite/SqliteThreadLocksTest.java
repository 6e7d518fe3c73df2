package dev.holdfast.jdbc.sqlite;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.concurrent.ThreadLocksContract;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("locks of threads, in SQLite")
class SqliteThreadLocksTest extends ThreadLocksContract {
    @TempDir
    static Path directory;

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("sqlite:" + directory.resolve("locks.db"), config);
    }
}
