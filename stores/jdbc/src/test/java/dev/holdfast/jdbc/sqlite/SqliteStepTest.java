package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.judgement.Judgement;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.model.LockKey;
import dev.holdfast.rules.LockRules;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A holder and a rival in two processes; only the rival's wall clock is set, so the holder notices nothing. */
@DisplayName("a clock that is set while an SQLite lock is held")
@Timeout(60)
class SqliteStepTest {
    private static final LockKey KEY = LockKey.of("default", "a");
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path directory;

    private final SettableClock holderClock = new SettableClock(START);
    private final SettableClock rivalClock = new SettableClock(START);
    private final TestMachine holderMachine = new TestMachine(holderClock, 1);
    private final TestMachine rivalMachine = new TestMachine(rivalClock, 2);
    private final List<LockClient> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(LockClient::close);
    }

    private LockClient client(SettableClock clock, TestMachine machine, Optional<String> run) {
        RecordStore store = new SqliteDatabase(
                        directory.resolve("locks.db"),
                        Locks.settings(SqliteConfig.shared().withTime(clock)))
                .locks(run);
        LockEngine engine =
                new LockEngine(store, machine, EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1).started();
        LockClient client = LockService.of(engine).client(ClientConfig.DEFAULT);
        open.add(client);
        return client;
    }

    /** Time passes for both, the same. */
    private void pass(Duration time) {
        holderMachine.advance(time);
        rivalMachine.advance(time);
    }

    private static Attempt<Lease> attempt(LockClient locks) throws InterruptedException {
        return locks.tryAcquire(KEY, o -> o.lease(LEASE));
    }

    private static boolean isGranted(LockClient locks) throws InterruptedException {
        return attempt(locks) instanceof Attempt.Done;
    }

    @Test
    @DisplayName("forward and back again within a lease makes no second holder, by the wall clock")
    void byTheWallClock() throws Exception {
        forwardAndBack(Optional.empty());
    }

    @Test
    @DisplayName("forward and back again within a lease makes no second holder, by the machine's clock")
    void byTheMachinesClock() throws Exception {
        forwardAndBack(Optional.of("run-1"));
    }

    private void forwardAndBack(Optional<String> run) throws Exception {
        LockClient holder = client(holderClock, holderMachine, run);
        LockClient rival = client(rivalClock, rivalMachine, run);
        Lease lease = holder.acquire(KEY, o -> o.lease(LEASE));
        assertThat(isGranted(rival)).isFalse();
        pass(Duration.ofSeconds(1));

        rivalClock.stepWall(HOUR);
        for (int i = 0; i < 10; i++) {
            assertThat(isGranted(rival)).isFalse();
            pass(Duration.ofSeconds(1));
        }
        rivalClock.stepWall(HOUR.negated());
        for (int i = 0; i < 100; i++) {
            assertThat(isGranted(rival) && lease.isValid()).isFalse();
            pass(Duration.ofSeconds(2));
        }
        assertThat(lease.isValid())
                .as("what was written before the step is only watched, and it is renewed")
                .isTrue();
    }

    @Test
    @DisplayName(
            "who starts while it is set forward makes no second holder either, and takes over when the lease has ended")
    void startedMeanwhile() throws Exception {
        Optional<String> run = Optional.of("run-1");
        LockClient holder = client(holderClock, holderMachine, run);
        Lease lease = holder.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        rivalClock.stepWall(HOUR);
        LockClient rival = client(rivalClock, rivalMachine, run);
        for (int i = 0; i < 59; i++) {
            assertThat(isGranted(rival)).isFalse();
            pass(Duration.ofSeconds(1));
        }
        assertThat(lease.isValid()).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(lease.isValid()).isFalse();
        assertThat(isGranted(rival)).isTrue();
    }

    @Test
    @DisplayName(
            "a dead holder's lock is taken over by the wall clock too, once it was watched for a lease after the step")
    void takenOver() throws Exception {
        LockClient holder = client(holderClock, holderMachine, Optional.empty());
        LockClient rival = client(rivalClock, rivalMachine, Optional.empty());
        Lease lease = holder.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        assertThat(isGranted(rival)).isFalse();
        rivalClock.stepWall(HOUR);
        int seconds = 0;
        while (!isGranted(rival)) {
            pass(Duration.ofSeconds(1));
            seconds++;
            assertThat(seconds).isLessThan(90);
        }
        assertThat(lease.isValid()).isFalse();
        assertThat(seconds).isGreaterThanOrEqualTo(60);
    }

    @Test
    @DisplayName("what one wrote while its clock was wrong makes no third one judge an older lease, by the wall clock")
    void learnedByTheWallClock() throws Exception {
        learned(Optional.empty(), true);
    }

    @Test
    @DisplayName("who opens the file after such a write makes no second holder either, by the wall clock")
    void openedAfterwards() throws Exception {
        learned(Optional.empty(), false);
    }

    @Test
    @DisplayName(
            "what one wrote while its clock was wrong makes no third one judge an older lease, by machines' clocks")
    void learnedByMachinesClocks() throws Exception {
        learned(Optional.of("run-1"), true);
        assertThat(open).hasSize(3);
    }

    /** The rival's clock is wrong for a moment and it writes then, of another lock; the third one's is right all the time. */
    private void learned(Optional<String> run, boolean openedBefore) throws Exception {
        SettableClock thirdClock = new SettableClock(START);
        TestMachine thirdMachine = new TestMachine(thirdClock, 3);
        LockClient holder = client(holderClock, holderMachine, run);
        Lease lease = holder.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        Optional<LockClient> before =
                openedBefore ? Optional.of(client(thirdClock, thirdMachine, run)) : Optional.empty();

        pass(Duration.ofSeconds(1));
        thirdMachine.advance(Duration.ofSeconds(1));
        rivalClock.stepWall(HOUR);
        // With machines' clocks, the rival is of another run: it makes a line of its own.
        LockClient rival = client(rivalClock, rivalMachine, run.map(name -> "run-2"));
        assertThat(rival.tryAcquire(
                        LockKey.of("default", "b"), o -> o.lease(LEASE).withoutRenewal()))
                .isInstanceOf(Attempt.Done.class);
        rivalClock.stepWall(HOUR.negated());

        LockClient third = before.orElseGet(() -> client(thirdClock, thirdMachine, run));
        TestMachine[] all = {holderMachine, rivalMachine, thirdMachine};
        Instant end = holderClock.wall().plusSeconds(50);
        for (int i = 0; holderClock.wall().isBefore(end); i++) {
            assertThat(isTaken(third, KEY, all) && lease.isValid()).isFalse();
            isTaken(third, LockKey.of("default", "c" + i), all); // a write, by which it learns
            pass(Duration.ofSeconds(1), all);
        }
        assertThat(lease.isValid()).isTrue();
    }

    private static void pass(Duration time, TestMachine... machines) {
        for (TestMachine machine : machines) {
            machine.advance(time);
        }
    }

    /** The store may refuse while it learns the time; then it is asked again as time passes, until that is given up. */
    private static boolean isTaken(LockClient locks, LockKey key, TestMachine... machines) throws Exception {
        CompletableFuture<Attempt<Lease>> asked = CompletableFuture.supplyAsync(() -> {
            try {
                return locks.tryAcquire(key, o -> o.lease(LEASE).withoutRenewal());
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        while (!asked.isDone()) {
            TimeUnit.MILLISECONDS.sleep(1);
            if (!asked.isDone()) {
                pass(Duration.ofMillis(20), machines);
            }
        }
        try {
            return asked.get() instanceof Attempt.Done;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(StoreException.class);
            return false;
        }
    }
}
