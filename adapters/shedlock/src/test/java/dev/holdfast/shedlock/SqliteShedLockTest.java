package dev.holdfast.shedlock;

import dev.holdfast.LockClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("ShedLock on locks in an SQLite file")
class SqliteShedLockTest extends ShedLockContract {
    @TempDir
    static Path directory;

    private static LockClient locks;

    @BeforeAll
    static void open() {
        locks = LockClient.connect("sqlite:" + directory.resolve("locks.db"));
    }

    @AfterAll
    static void close() {
        locks.close();
    }

    @Override
    LockClient client() {
        return locks;
    }
}
