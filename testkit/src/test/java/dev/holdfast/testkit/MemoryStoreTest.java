package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.testkit.fixture.MemoryFixture;
import dev.holdfast.testkit.fixture.RandomRecords;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    class Locks extends EngineContract {
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) {
        try (MemoryFixture fixture = new MemoryFixture(seed)) {
            RandomComparison.run(fixture, seed, 300);
        }
    }

    @Test
    @DisplayName("a record that is deleted and written anew at the same time is still listed")
    void listedAfterARace() throws Exception {
        MemoryStore store = MemoryStore.shared(LocalTime.SYSTEM);
        for (int round = 0; round < 2_000; round++) {
            RecordKey key = new RecordKey("default", "race-" + round);
            RandomRecords random = new RandomRecords(round);
            LockRecord first = random.idle(key, 5);
            StoreCases.write(store, StoreCases.absent(first));
            Thread deleting =
                    new Thread(() -> StoreCases.write(store, Write.delete(key, StoreCases.is(Versioned.of(first)))));
            deleting.start();
            Write anew = StoreCases.absent(random.busy(key, 6));
            Await.until("it is gone", () -> StoreCases.write(store, anew) instanceof WriteResult.Applied);
            deleting.join();
            ScanRequest busy =
                    new ScanRequest(Optional.empty(), key.name(), ScanRequest.Which.ALL, Optional.empty(), 10);
            assertThat(Await.get(store.scan(busy)).records())
                    .as("round %d", round)
                    .isNotEmpty();
        }
    }

    private static void assertUnavailable(CompletionStage<?> stage) {
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(stage));
    }
}
