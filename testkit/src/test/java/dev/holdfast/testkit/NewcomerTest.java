package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.Hold;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("one that comes to a lock which another takes again and again")
class NewcomerTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");
    private static final Duration TRIP = Duration.ofMillis(10);

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 1);
    private final MemoryStore records = MemoryStore.shared(clock);

    private LockEngine engine(RecordStore on) {
        return new LockEngine(on, machine.peer(), EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1).started();
    }

    private static Acquisition ask(LockEngine engine, Duration wait) {
        return engine.acquire(new Request(
                KEY, engine.newLeaseId(), Scope.WHOLE, "owner", Terms.of(Duration.ofSeconds(10)), wait, Duration.ZERO));
    }

    private static Optional<Hold> granted(Acquisition asked) {
        return asked.answer().isDone() && asked.answer().join().result() instanceof AcquireResult.Granted granted
                ? Optional.of(granted.hold())
                : Optional.empty();
    }

    // ---- it always comes too late

    /** Another process takes a turn before each write of the newcomer arrives. */
    private BentStore behind(LockEngine rival) {
        BentStore late = new BentStore(records);
        late.beforeWrite = () -> assertThat(
                        release(rival, granted(ask(rival, Duration.ZERO)).orElseThrow()))
                .isCompleted();
        return late;
    }

    private static CompletableFuture<Answer<ReleaseResult>> release(LockEngine engine, Hold hold) {
        return engine.release(KEY, hold.leaseId());
    }

    @Test
    @DisplayName("is not sent away because the store failed once, long ago")
    void afterFailure() {
        BentStore store = behind(engine(records));
        store.beforeRead = () -> {
            store.beforeRead = () -> {};
            throw new StoreUnavailableException("too busy", null);
        };
        Acquisition newcomer = ask(engine(store), Duration.ofMinutes(1));
        machine.advance(Duration.ofSeconds(50));
        assertThat(newcomer.answer()).isNotDone();
    }

    @Test
    @DisplayName("tries for a place as long as it wants to wait, and has the lock when the other pauses")
    void waits() {
        BentStore store = behind(engine(records));
        Acquisition newcomer = ask(engine(store), Duration.ofMinutes(1));
        machine.advance(Duration.ofSeconds(50));
        assertThat(newcomer.answer()).isNotDone();
        store.beforeWrite = () -> {};
        machine.advance(Duration.ofSeconds(2));
        assertThat(granted(newcomer)).isPresent();
    }

    @Test
    @DisplayName("hears when its time is up that others always came first, not that the lock is held")
    void timeIsUp() {
        Acquisition waiting = ask(engine(behind(engine(records))), Duration.ofSeconds(15));
        Acquisition trying = ask(engine(behind(engine(records))), Duration.ZERO);
        machine.advance(Duration.ofSeconds(30));
        for (Acquisition newcomer : new Acquisition[] {waiting, trying}) {
            assertThat(newcomer.answer())
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(StoreUnavailableException.class)
                    .withMessageContaining("lock 'lock' in 'default'")
                    .withMessageContaining("others changed it first");
        }
    }

    // ---- both are as far from the store

    /** Each call takes as long on its way as its answer on the way back. */
    private RecordStore far() {
        BentStore far = new BentStore(records);
        far.way = new BentStore.Way() {
            @Override
            public <T> CompletionStage<T> there(Supplier<CompletionStage<T>> call) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                machine.after(
                        TRIP,
                        () -> Stages.then(call.get(), (it, failure) -> machine.after(TRIP, () -> answer.complete(it))));
                return answer;
            }
        };
        return far;
    }

    private int turns;

    private void takeTurns(LockEngine engine) {
        Stages.then(ask(engine, Duration.ofHours(1)).answer(), (answer, failure) -> {
            if (answer != null && answer.result() instanceof AcquireResult.Granted granted) {
                Stages.then(release(engine, granted.hold()), (released, failed) -> {
                    turns++;
                    takeTurns(engine);
                });
            }
        });
    }

    @Test
    @DisplayName("gets it soon, though every write takes as long as the time between two turns")
    void courtesy() {
        takeTurns(engine(far()));
        machine.advance(Duration.ofSeconds(5));
        for (int i = 0; i < 20; i++) {
            LockEngine newcomer = engine(far());
            Acquisition asked = ask(newcomer, Duration.ofMinutes(1));
            int before = turns;
            machine.advance(Duration.ofSeconds(5));
            assertThat(granted(asked))
                    .as("newcomer %s, turns meanwhile %s", i, turns - before)
                    .isPresent();
            assertThat(release(newcomer, granted(asked).orElseThrow())).isNotCompletedExceptionally();
            newcomer.close();
        }
    }

    @Test
    @DisplayName("and it costs the other only a few turns")
    void cheap() {
        takeTurns(engine(far()));
        machine.advance(Duration.ofSeconds(100));
        long most = Duration.ofSeconds(100).dividedBy(TRIP.multipliedBy(4));
        assertThat(turns).isBetween((int) (most * 90 / 100), (int) most);
    }
}
