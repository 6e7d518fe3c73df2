package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.engine.Acquisition;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.Request;
import dev.holdfast.engine.judgement.Judgement;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.LockRules;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How often a waiter looks, by the calls of the store: every one of them may be billed. */
class PollingTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");
    private static final Duration LEASE = Duration.ofSeconds(10);
    /** The store is polled every second, and a waiter says now and then that it lives. */
    private static final int CALLS_A_SECOND = 2;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 1);
    private final BentStore store = new BentStore(MemoryStore.shared(clock));
    private final LockEngine holder = engine(store);
    private final LockEngine waiter = engine(store);

    private LockEngine engine(BentStore on) {
        return new LockEngine(on, machine.peer(), EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1).started();
    }

    @Test
    @DisplayName("while the clock is believed")
    void byTheClock() {
        Acquisition waiting = waitBehind(UnaryOperator.identity());
        assertBounded(Duration.ofSeconds(9));
        machine.advance(Duration.ofSeconds(2));
        assertThat(isGranted(waiting)).isTrue();
    }

    @Test
    @DisplayName("while a hold is judged by watching, also long after the end it shows")
    void byWatching() {
        Acquisition waiting = waitBehind(now -> new StoreClock.Reading(now.earliest(), now.latest(), Instant.MAX));
        assertBounded(Duration.ofMillis(11_800));
        assertThat(isGranted(waiting))
                .as("a fifth longer than the lease is watched")
                .isFalse();
        assertBounded(Duration.ofSeconds(3));
        assertThat(isGranted(waiting)).isTrue();
    }

    @Test
    @DisplayName("while the time of the store stands still just before the end")
    void atAStandstill() {
        Instant before = clock.wall().plus(LEASE).minusNanos(1_000);
        waitBehind(now ->
                now.earliest().isAfter(before) ? new StoreClock.Reading(before, before, now.trustedSince()) : now);
        machine.advance(LEASE);
        assertBounded(Duration.ofSeconds(30));
    }

    private Acquisition waitBehind(UnaryOperator<StoreClock.Reading> bent) {
        store.clock = bent;
        assertThat(holder.acquire(request(holder, Duration.ZERO)).answer())
                .isCompletedWithValueMatching(answer -> answer.result() instanceof AcquireResult.Granted);
        return waiter.acquire(request(waiter, Duration.ofHours(1)));
    }

    private static boolean isGranted(Acquisition waiting) {
        return waiting.answer().isDone() && waiting.answer().join().result() instanceof AcquireResult.Granted;
    }

    private void assertBounded(Duration time) {
        int before = store.reads + store.writes;
        machine.advance(time);
        assertThat(store.reads + store.writes - before)
                .as("calls of one waiter in %s", time)
                .isLessThanOrEqualTo((int) (time.toMillis() * CALLS_A_SECOND / 1_000) + 10);
    }

    private static Request request(LockEngine engine, Duration wait) {
        return new Request(KEY, engine.newLeaseId(), Scope.WHOLE, "owner", Terms.of(LEASE), wait, Duration.ZERO);
    }
}
