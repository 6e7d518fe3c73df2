package dev.holdfast.testkit.concurrent;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("leaders by a lock in memory")
class MemoryLeaderElectionTest extends LeaderElectionContract {
    private final SharedMemory memory = new SharedMemory();

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.on(memory.open(), config);
    }
}
