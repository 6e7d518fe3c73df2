package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a store that is closed")
class ClosingTest {
    /** What the client waits by itself; one close in five is faster even on a crowded machine. */
    private static final Duration BY_ITSELF = Duration.ofSeconds(2);

    @Test
    @DisplayName("does not wait for requests that cannot come")
    void closesAtOnce() {
        String table = Dynamo.freshTable();
        List<Duration> took = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RecordStore store = Locks.open(table, Dynamo.port(), DynamoConfig.DEFAULT.withHistory(false));
            Await.get(store.read(LockKey.of("default", "lock").record()));
            long start = System.nanoTime();
            store.close();
            took.add(Duration.ofNanos(System.nanoTime() - start));
        }
        assertThat(Collections.min(took)).isLessThan(BY_ITSELF);
    }
}
