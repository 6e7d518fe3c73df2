package dev.holdfast.test;

import dev.holdfast.model.LockKey;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One clock and one timeline for all processes of a {@link FakeLocks}. It stands still until the test moves it, or waits: a wait on the
 * test's thread moves it, since nobody else would; a wait on another thread is the test's to end.
 */
final class FakeTime {
    /** Timers run during one wait of the test's thread; some hours at the usual pace. Who waits longer waits for ever. */
    private static final int MAX_STEPS = 20_000;
    /** Farther than the next timer ever is: engines look after their locks every few seconds. */
    private static final Duration FAR = Duration.ofDays(1);

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine timeline = new TestMachine(clock, 1);
    private final EngineWork work = new EngineWork();
    private final AskingThreads asking = new AskingThreads();
    private final Duration patience;
    private volatile Thread test = Thread.currentThread();

    /**
     * A time that stands still.
     *
     * @param patience how long other threads wait, in real time, while nobody moves the clock
     */
    FakeTime(Duration patience) {
        this.patience = patience;
    }

    SettableClock clock() {
        return clock;
    }

    EngineWork work() {
        return work;
    }

    AskingThreads asking() {
        return asking;
    }

    /** A part of the timeline, for one engine. */
    TestMachine machine() {
        return timeline.peer();
    }

    /** This thread is the test's: its waits move the clock. */
    void taken() {
        test = Thread.currentThread();
    }

    void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time '" + time + "' must not be negative: it does not run back");
        }
        long end = clock.nanos() + time.toNanos();
        while (step(end)) {
            // the next timer, at its own time
        }
    }

    /** Runs the next timer until then, and what it told; false if there is none, and it is then. */
    private boolean step(long end) {
        asking.await();
        return work.perform(() -> timeline.step(Duration.ofNanos(Math.max(0, end - clock.nanos()))));
    }

    /** Lets time pass until this has come, at most so long. */
    void advanceUntil(CompletableFuture<?> come, Duration atMost) {
        long end = clock.nanos() + atMost.toNanos();
        while (!come.isDone() && step(end)) {
            // the next timer, at its own time
        }
    }

    // ---- waits

    /** The calling thread waits for an answer about this lock. */
    void awaited(LockKey key, CompletableFuture<?> answer) {
        asking.waitsFor(answer);
        try {
            if (Thread.currentThread() == test) {
                moveUntil(key, answer);
            } else {
                waitFor("lock '" + key.name() + "'", answer);
            }
        } finally {
            if (!AskingThreads.isGranted(answer)) {
                asking.arrived();
            }
        }
    }

    private void moveUntil(LockKey key, CompletableFuture<?> answer) {
        long start = clock.nanos();
        for (int steps = 0; !answer.isDone(); steps++) {
            if (steps == MAX_STEPS) {
                throw new IllegalStateException(
                        "The test itself waits for lock '" + key.name() + "', and has moved the clock by "
                                + Duration.ofNanos(clock.nanos() - start)
                                + " for it in vain: nobody frees it. Give the wait an end with waitUpTo, or wait on another thread and free the"
                                + " lock from the test");
            }
            step(clock.nanos() + FAR.toNanos());
        }
    }

    /** In real time, since the test may do anything meanwhile; but not for ever if it does nothing. */
    private void waitFor(String what, CompletableFuture<?> answer) {
        long seen = clock.nanos();
        while (!answer.isDone()) {
            try {
                answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (clock.nanos() == seen) {
                    throw new IllegalStateException(
                            "Thread '" + Thread.currentThread().getName() + "' waits for " + what
                                    + ", and nobody has moved the clock of FakeLocks for " + patience.toSeconds()
                                    + " s. Its time passes only by advance(...), called by the test while this thread waits;"
                                    + " or free the lock",
                            e);
                }
                seen = clock.nanos();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // whoever waits next hears of it
                return;
            } catch (ExecutionException | CancellationException e) {
                return; // whoever waits next hears of it
            }
        }
    }

    void pause(Duration length) {
        if (Thread.currentThread() == test) {
            advance(length);
            return;
        }
        CompletableFuture<Void> over = new CompletableFuture<>();
        timeline.after(length, () -> over.complete(null));
        waitFor("the end of a pause", over);
    }
}
