package dev.holdfast.testkit.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("locks of threads, in memory")
@SuppressWarnings("LockNotBeforeTry") // what is left held is what is looked at
class MemoryThreadLocksTest extends ThreadLocksContract {
    private final SharedMemory memory = new SharedMemory();

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.on(memory.open(), config);
    }

    @Test
    @DisplayName("the lock of a thread that ended without unlocking is given back")
    void endedThread() throws InterruptedException {
        try (LockClient client = connect(ClientConfig.DEFAULT)) {
            ThreadLocks locks = ThreadLocks.of(client).withLease(Duration.ofSeconds(1));
            Thread forgetful = new Thread(() -> locks.lock("forgotten").lock());
            forgetful.start();
            forgetful.join();
            assertThat(locks.lock("forgotten").tryLock()).isFalse();
            Await.until("it is given back", () -> {
                System.gc();
                sleep();
                return client.inspect().get(client.key("forgotten")).isFree();
            });
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
