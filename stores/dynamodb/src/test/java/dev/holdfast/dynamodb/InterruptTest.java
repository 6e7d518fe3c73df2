package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a thread that is interrupted")
class InterruptTest {
    private final String table = Dynamo.freshTable();
    private final RecordStore store =
            Locks.open(table, Dynamo.port(), DynamoConfig.DEFAULT.withCallTimeout(Duration.ofSeconds(20)));

    @Test
    @DisplayName("is answered all the same, and stays interrupted")
    void staysInterrupted() {
        try (store) {
            Thread.currentThread().interrupt();
            CompletableFuture<?> read =
                    store.read(LockKey.of("default", "lock").record()).toCompletableFuture();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.join()).isNotNull();
        }
    }

    @Test
    @DisplayName("hears of it when it waits for a lock, and leaves nothing behind")
    void hearsOfIt() throws InterruptedException {
        try (LockClient locks = LockClient.on(store, ClientConfig.DEFAULT);
                Lease lease = locks.acquire("lock")) {
            assertThat(lease.isValid()).isTrue();
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
                Thread.currentThread().interrupt();
                try {
                    locks.acquire("lock").close();
                    return false;
                } catch (InterruptedException e) {
                    return true;
                }
            });
            assertThat(waiting.join()).isTrue();
        }
    }
}
