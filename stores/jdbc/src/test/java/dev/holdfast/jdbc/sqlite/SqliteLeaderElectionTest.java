package dev.holdfast.jdbc.sqlite;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.concurrent.LeaderElectionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("leaders by a lock in SQLite")
class SqliteLeaderElectionTest extends LeaderElectionContract {
    @TempDir
    static Path directory;

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("sqlite:" + directory.resolve("locks.db"), config);
    }
}
