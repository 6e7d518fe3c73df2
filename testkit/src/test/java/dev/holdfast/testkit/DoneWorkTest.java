package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.Once;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("once-only work that is done")
class DoneWorkTest {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final BentStore store = new BentStore(MemoryStore.exclusive());
    private volatile long awayUntil = System.nanoTime();

    @Test
    @DisplayName("is told to a store that cannot be used for longer than one request lasts, and not done again")
    void told() throws Exception {
        store.beforeWrite = () -> {
            if (System.nanoTime() - awayUntil < 0) {
                throw new StoreUnavailableException("away", null);
            }
        };
        EngineConfig hasty = EngineConfig.DEFAULT.withOperationTimeout(PATIENCE);
        AtomicInteger runs = new AtomicInteger();
        try (LockClient client = LockService.of(LockEngine.start(store, hasty)).client(ClientConfig.DEFAULT)) {
            Once first = client.runOnce("set-up", "v1", lease -> {
                awayUntil = System.nanoTime() + PATIENCE.multipliedBy(5).toNanos();
                runs.incrementAndGet();
            });
            assertThat(first).isInstanceOf(Once.Ran.class);
            assertThat(client.runOnce("set-up", "v1", lease -> runs.incrementAndGet()))
                    .isInstanceOf(Once.AlreadyDone.class);
            assertThat(runs).hasValue(1);
        }
    }
}
