package dev.holdfast.test;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The machine of one process on the common time. While it stands still, its timers do not run; they run late. */
final class FakeMachine implements Machine {
    private final FakeTime time;
    private final TestMachine timeline;
    private final Optional<Executor> answers;
    private final List<LateTimer> late = new ArrayList<>();
    private boolean still;

    FakeMachine(FakeTime time, Optional<Executor> answers) {
        this.time = time;
        this.timeline = time.machine();
        this.answers = answers;
    }

    @Override
    public LocalTime time() {
        return time.clock();
    }

    @Override
    public void run(Runnable task) {
        time.work().perform(() -> timeline.run(task));
    }

    @Override
    public void tell(ThreadLane lane, Runnable task) {
        boolean elsewhere = lane == ThreadLane.ANSWERS && answers.isPresent();
        time.work().tell(elsewhere ? () -> hand(answers.get(), task) : task);
    }

    private void hand(Executor executor, Runnable task) {
        try {
            executor.execute(() -> time.work().run(task));
        } catch (RejectedExecutionException e) {
            time.work().run(task); // somebody may wait for it
        }
    }

    @Override
    public void awaited(LockKey key, CompletableFuture<?> answer) {
        time.awaited(key, answer);
    }

    @Override
    public void pause(Duration length) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        time.pause(length);
    }

    @Override
    public long random() {
        return timeline.random();
    }

    @Override
    public void close() {
        timeline.close();
    }

    // ---- timers

    private static final class LateTimer {
        private final Runnable task;
        private volatile boolean cancelled;

        LateTimer(Runnable task) {
            this.task = task;
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        LateTimer timer = new LateTimer(task);
        Timer due = timeline.after(delay, () -> due(timer));
        return () -> {
            timer.cancelled = true;
            due.cancel();
        };
    }

    private void due(LateTimer timer) {
        synchronized (this) {
            if (still) {
                late.add(timer);
                return;
            }
        }
        timer.task.run();
    }

    synchronized boolean isStill() {
        return still;
    }

    /** From now on nothing happens here by itself. */
    synchronized void stand() {
        still = true;
    }

    /** Goes on, with all that is overdue. */
    void goOn() {
        List<LateTimer> overdue;
        synchronized (this) {
            still = false;
            overdue = List.copyOf(late);
            late.clear();
        }
        for (LateTimer timer : overdue) {
            if (!timer.cancelled) {
                timer.task.run();
            }
        }
    }
}
