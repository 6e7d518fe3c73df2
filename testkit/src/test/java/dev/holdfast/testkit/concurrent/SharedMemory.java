package dev.holdfast.testkit.concurrent;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.LocalTime;
import java.lang.reflect.Proxy;

/** One store in memory that several clients use as their own, and none of them closes. */
final class SharedMemory {
    private final MemoryStore store = MemoryStore.shared(LocalTime.SYSTEM);

    RecordStore open() {
        return (RecordStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                MemoryStore.class.getInterfaces(),
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(store, arguments));
    }
}
