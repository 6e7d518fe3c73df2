package dev.holdfast.shedlock;

import dev.holdfast.LockClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("ShedLock on locks in memory")
class MemoryShedLockTest extends ShedLockContract {
    private static LockClient locks;

    @BeforeAll
    static void open() {
        locks = LockClient.connect("memory:");
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
