package dev.holdfast.testkit;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.testkit.client.ClientContract;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.DisplayName;

@DisplayName("clients of locks in memory")
class MemoryClientTest extends ClientContract {
    private final MemoryStore store = MemoryStore.shared(LocalTime.SYSTEM);

    @Override
    protected LockClient connect(ClientConfig config) {
        RecordStore keptOpen = (RecordStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RecordStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(store, arguments));
        return LockClient.on(keptOpen, config);
    }
}
