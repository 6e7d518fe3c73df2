package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.LockService;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import dev.holdfast.testkit.fixture.FaultyStore;
import dev.holdfast.testkit.fixture.MemoryFixture;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine promises whatever order its machine runs tasks in, and however full a record is. */
class EngineOrderTest extends LockCases {

    @Override
    StoreFixture newFixture(TestInstances tests) {
        return new MemoryFixture(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("those who stand outside a full queue enter it in order, also when many places free at once")
    void outsideInOrder(long seed) {
        SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
        TestMachine machine = TestMachine.shuffled(clock, seed);
        Node alice = Node.withEngine("alice", FaultyStore.of(MemoryStore.shared(clock)), machine, CONFIG);
        granted(alice.ask("0").now());
        List<LockService.Asking> waiting = new ArrayList<>();
        int outside = 20;
        for (int i = 1; i <= LockRecord.MAX_QUEUE + outside; i++) {
            waiting.add(alice.ask("" + i).begin(LONG));
        }
        machine.run(() -> waiting.subList(0, 30).forEach(LockService.Asking::cancel)); // frees many places in one go
        List<String> order = alice.record().queue().stream()
                .map(waiter -> waiter.leaseId().value().substring("lease-id-".length()))
                .toList();
        List<String> expected = new ArrayList<>();
        for (int i = 31; i <= LockRecord.MAX_QUEUE + outside; i++) {
            expected.add("" + i);
        }
        assertThat(order).isEqualTo(expected);
        alice.locks.close();
    }

    @Test
    @DisplayName("who waits for room in a record that is full looks now and then, not all the time")
    void fullRecordIsPolledGently() {
        SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
        TestMachine machine = new TestMachine(clock, 1);
        Node alice = Node.withEngine("alice", FaultyStore.of(MemoryStore.shared(clock)), machine, CONFIG);
        int holders = 0;
        while (alice.ask("reader" + holders).in(Mode.SHARED).now() instanceof Attempt.Done) {
            holders++;
            assertThat(holders).isLessThanOrEqualTo(LockRecord.MAX_HOLDS);
        }
        int before = alice.store.calls(FaultyStore.Call.READ);
        CompletableFuture<LockService.Asking> asking =
                Await.onThread(() -> alice.ask("late").in(Mode.SHARED).begin(LONG));
        Await.until(
                "it waits, or looks all the time",
                () -> asking.isDone() || alice.store.calls(FaultyStore.Call.READ) > before + 200);
        if (!asking.isDone()) {
            alice.die(); // ends its turning in circles
        }
        assertThat(alice.store.calls(FaultyStore.Call.READ) - before).isLessThan(200);
        machine.advance(Duration.ofSeconds(5));
        assertThat(alice.store.calls(FaultyStore.Call.READ) - before).isLessThan(200);
        alice.release("reader0");
        machine.advance(Duration.ofSeconds(2));
        awaitGranted(Await.get(asking));
        alice.locks.close();
    }
}
