package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.testkit.client.ClientContract;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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

    @Test
    @DisplayName(
            "who waits for ever where there is no room to wait asks again now and then, and hears when the client is closed")
    void noRoom() throws Exception {
        LockClient client = connect(ClientConfig.DEFAULT.withWaiters(1, 100));
        Lease held = client.acquire("narrow");
        CompletableFuture<Attempt<Lease>> first = client.acquireAsync("narrow", AcquireOptions::waitForever);
        CompletableFuture<Attempt<Lease>> second = client.acquireAsync("narrow", AcquireOptions::waitForever);
        CompletableFuture<Attempt<Lease>> third = client.acquireAsync("narrow", AcquireOptions::waitForever);
        held.release();
        CompletableFuture.anyOf(first, second, third).join();
        Await.get(first).orThrow().release();
        Await.get(CompletableFuture.anyOf(second, third));
        client.close();
        for (CompletableFuture<?> one : List.of(second, third)) {
            try {
                Await.get(one);
            } catch (ClientClosedException e) {
                assertThat(e).hasMessageContaining("closed");
            }
        }
        assertThat(second.isDone() && third.isDone()).isTrue();
    }
}
