package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The memory store keeps both contracts. */
class MemoryStoreTest {

    @Nested
    @DisplayName("the memory store")
    class Store extends RecordStoreContract {
        @Override
        protected StoreFixture fixture() {
            return new MemoryFixture(1);
        }
    }

    @Nested
    @DisplayName("locks in memory")
    class Locks extends LockContract {
        @Override
        protected StoreFixture fixture() {
            return new MemoryFixture(1);
        }
    }

    @Test
    @DisplayName("after close every request of a store for one engine fails as unavailable")
    void closedStoreRefuses() {
        MemoryStore store = MemoryStore.exclusive();
        store.close();
        assertUnavailable(store.read(StoreCases.KEY));
        assertUnavailable(store.write(List.of(StoreCases.absent(new RandomRecords(1).busy(StoreCases.KEY, 5)))));
        assertUnavailable(store.scan(ScanRequest.all()));
        assertUnavailable(store.events(EventLog.EventQuery.newest(1)));
        assertUnavailable(store.forget(Instant.EPOCH, 1));
    }

    private static void assertUnavailable(CompletionStage<?> stage) {
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(stage));
    }
}
