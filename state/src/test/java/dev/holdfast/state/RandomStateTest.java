package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of random steps against a model that fits on a page: who may save, what is current, what is in the history. Holders
 * are forced away, pause inside their saves while others act, lose answers, and die between two writes.
 */
@DisplayName("random steps")
final class RandomStateTest {
    private static final Stack STACK = new Stack("shop", "production");
    private static final int STEPS = 2_500;

    /** Every mortal that ever held the lock; the last one may be alive. */
    private final List<Lease> everybody = new ArrayList<>();

    /** The model: versions in the order they were made, as the bytes say. */
    private final List<String> made = new ArrayList<>();

    /** Whether the current state was deleted. */
    private boolean gone = true;

    private Optional<Lease> holder = Optional.empty();
    private long topSerial;
    private long counter;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-16T11:05:12.123456Z"));
    private final TestMachine machine = new TestMachine(clock, 1);
    private final LockClient locks = LockService.of(new LockEngine(
                            MemoryStore.shared(clock),
                            machine.peer(),
                            EngineConfig.DEFAULT.withHistory(false),
                            new LockRules(),
                            new Judgement(),
                            1)
                    .started())
            .client(ClientConfig.DEFAULT);
    private final OneByOne steps = new OneByOne(new MemoryDocuments());
    private FaultyDocuments faulty = new FaultyDocuments(steps);
    private boolean atomic;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @DisplayName("leave what a simple model says")
    void compare(long seed) throws InterruptedException {
        Random random = new Random(seed);
        atomic = seed % 2 == 0;
        if (atomic) {
            faulty = new FaultyDocuments(new MemoryDocuments());
        }
        StateManager state = StateManager.on(locks, faulty, StateConfig.DEFAULT.withClock(new StandingClock(clock)));
        for (int step = 0; step < STEPS; step++) {
            String what = "seed " + seed + ", step " + step;
            int dice = random.nextInt(100);
            if (dice < 20) {
                take(state);
            } else if (dice < 50) {
                save(state, random, what);
            } else if (dice < 60) {
                zombie(state, random, what);
            } else if (dice < 68) {
                pausedInside(state, what);
            } else if (dice < 76) {
                force();
            } else if (dice < 82) {
                holder.ifPresent(Lease::release);
                holder = Optional.empty();
            } else if (dice < 87) {
                unlocked(state, what);
            } else if (dice < 92) {
                restore(state, random, what);
            } else if (dice < 94) {
                delete(state, what);
            } else if (dice < 97 && !atomic) {
                crash(state, random, what);
            } else {
                clock.stepWall(Duration.ofSeconds(random.nextInt(7) - 3));
            }
            if (step % 100 == 0) {
                check(state, what);
            }
        }
        check(state, "seed " + seed + ", end");
        assertThat(made).as("the run did something").hasSizeGreaterThan(STEPS / 10);
        locks.close();
    }

    private void take(StateManager state) throws InterruptedException {
        Attempt<Lease> taken = locks.tryAcquire(STACK.lock(), o -> o.lease(Duration.ofHours(20)));
        assertThat(taken instanceof Attempt.Done<Lease>).isEqualTo(holder.isEmpty());
        if (taken instanceof Attempt.Done<Lease> done) {
            assertThat(state.claim(done.value())).isInstanceOf(ClaimOutcome.Claimed.class);
            holder = Optional.of(done.value());
            everybody.add(done.value());
        }
    }

    private byte[] fresh() {
        counter++;
        return StateContract.doc(counter, "v" + counter);
    }

    private void save(StateManager state, Random random, String what) {
        if (holder.isEmpty()) {
            return;
        }
        byte[] bytes = fresh();
        int faults = random.nextInt(6);
        if (faults == 0) {
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
        } else if (faults == 1) {
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST);
        } else if (faults == 2) {
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST, FaultyDocuments.Fault.LOST_REQUEST);
        } else if (faults == 3) {
            faulty.next(FaultyDocuments.Fault.DOWN);
        }
        boolean saved = false;
        try {
            assertThat(state.save(holder.get(), bytes, StateContract.ALICE))
                    .as(what)
                    .isInstanceOf(SaveOutcome.Saved.class);
            saved = true;
        } catch (OutcomeUnknownException e) {
            assertThat(faults).as(what).isEqualTo(2);
        } catch (StoreException e) {
            // Also when what was current could not be kept first.
            assertThat(faults).as(what).isIn(atomic ? List.of(3) : List.of(2, 3));
        }
        faulty.calm();
        assertThat(isCurrent(state, bytes)).as(what).isEqualTo(saved);
        if (saved) {
            happened(bytes);
        }
        if (saved && random.nextInt(4) == 0) {
            assertThat(state.save(holder.get(), bytes, StateContract.ALICE))
                    .as(what)
                    .isInstanceOf(SaveOutcome.Repeated.class);
        }
    }

    private static boolean isCurrent(StateManager state, byte[] bytes) {
        return state.load(STACK)
                .map(it -> it.text().equals(StateContract.text(bytes)))
                .orElse(false);
    }

    private void happened(byte[] bytes) {
        made.add(StateContract.text(bytes));
        topSerial = Math.max(topSerial, DocumentScan.of(bytes).serial().orElseThrow());
        gone = false;
    }

    private void zombie(StateManager state, Random random, String what) {
        if (everybody.isEmpty()) {
            return;
        }
        Lease old = everybody.get(random.nextInt(everybody.size()));
        if (holder.filter(old::equals).isEmpty()) {
            assertThat(state.save(STACK, old.leaseId(), fresh(), StateContract.ALICE))
                    .as(what)
                    .isInstanceOf(StateRefusal.class);
            if (random.nextBoolean()) {
                state.claim(STACK, old.leaseId(), old.token()); // harmless, whatever it says
            }
        }
    }

    /** The holder looks, is paused, is forced away; another claims; the holder writes. */
    private void pausedInside(StateManager state, String what) {
        if (holder.isEmpty()) {
            return;
        }
        Lease old = holder.get();
        faulty.beforeWrite(() -> {
            force();
            try {
                take(state);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        // The claim inside is a write of its own, after this one.
        assertThat(state.save(STACK, old.leaseId(), fresh(), StateContract.ALICE))
                .as(what)
                .isInstanceOf(StateRefusal.class);
    }

    private void force() {
        for (Holder found : locks.inspect().get(STACK.lock()).holders()) {
            locks.inspect().forceUnlock(STACK.lock(), found.token(), "test");
        }
        holder = Optional.empty();
    }

    private void unlocked(StateManager state, String what) {
        byte[] bytes = fresh();
        SaveOutcome outcome = state.saveUnlocked(STACK, bytes, StateContract.BOB);
        assertThat(outcome instanceof SaveOutcome.Saved).as(what).isEqualTo(holder.isEmpty());
        if (holder.isEmpty()) {
            happened(bytes);
        }
    }

    private void restore(StateManager state, Random random, String what) {
        List<StateVersion> history = state.history(STACK, 50).versions();
        if (history.isEmpty()) {
            return;
        }
        StateVersion from = history.get(random.nextInt(history.size()));
        String before = state.version(STACK, from.version()).orElseThrow().text();
        RestoreOutcome outcome = state.restore(STACK, from.version(), StateContract.BOB);
        assertThat(outcome instanceof RestoreOutcome.Restored).as(what).isEqualTo(holder.isEmpty());
        if (outcome instanceof RestoreOutcome.Restored restored) {
            assertThat(restored.version().serial()).as(what).isEqualTo(topSerial + 1);
            String now = before.replace("\"serial\": " + from.serial() + ",", "\"serial\": " + (topSerial + 1) + ",");
            happened(StateContract.bytes(now));
            counter = Math.max(counter, topSerial);
        }
    }

    private void delete(StateManager state, String what) {
        DeleteOutcome outcome = holder.isPresent()
                ? state.delete(STACK, holder.get().leaseId(), StateContract.ALICE)
                : state.delete(STACK, StateContract.BOB);
        assertThat(outcome).as(what).isEqualTo(new DeleteOutcome.Deleted(!gone));
        gone = true;
    }

    /** Dies before the state, or between the state and its entry in the history. */
    private void crash(StateManager state, Random random, String what) {
        if (holder.isEmpty()) {
            return;
        }
        byte[] bytes = fresh();
        int survives = random.nextInt(2);
        steps.crashAfter(survives);
        try {
            state.save(holder.get(), bytes, StateContract.ALICE);
            throw new AssertionError(what + ": no crash");
        } catch (OneByOne.Crash e) {
            steps.recover();
        }
        // Before the state is replaced, an entry that is missing may be put in its place: then that was the write that
        // was survived.
        if (isCurrent(state, bytes)) {
            happened(bytes);
        }
        force();
    }

    private void check(StateManager state, String what) {
        Optional<String> current = state.load(STACK).map(LoadedState::text);
        Optional<String> expected = gone || made.isEmpty() ? Optional.empty() : Optional.of(made.get(made.size() - 1));
        assertThat(current).as(what).isEqualTo(expected);
        List<String> stored = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            HistoryPage page = state.history(STACK, 500, cursor);
            page.versions().forEach(it -> stored.add(0, it.sha256()));
            cursor = page.next();
        } while (cursor.isPresent());
        assertThat(stored)
                .as(what)
                .isEqualTo(made.stream()
                        .map(it -> Sha256.of(StateContract.bytes(it)))
                        .toList());
    }
}
