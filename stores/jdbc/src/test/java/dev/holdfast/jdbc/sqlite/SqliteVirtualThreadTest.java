package dev.holdfast.jdbc.sqlite;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.client.VirtualThreadContract;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("virtual threads and locks in a SQLite file")
class SqliteVirtualThreadTest extends VirtualThreadContract {
    @TempDir
    private Path place;

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("sqlite:" + place.resolve("locks.db"), config);
    }

    @Override
    protected int callers() {
        return 2_000;
    }
}
