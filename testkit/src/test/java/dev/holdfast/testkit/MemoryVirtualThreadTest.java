package dev.holdfast.testkit;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.client.VirtualThreadContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("virtual threads and locks in memory")
class MemoryVirtualThreadTest extends VirtualThreadContract {
    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("memory:", config);
    }
}
