package dev.holdfast.internal.engine.machine;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Time and timers by hand; tasks run where they come from, or are {@link #hold held}. */
public final class ByHand implements Machine {
    private record DueTask(long at, Runnable task) {}

    private final ConcurrentLinkedQueue<DueTask> timers = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private boolean holds;
    private Anchor now = new Anchor(0, Instant.parse("2026-01-01T00:00:00Z"));

    public Anchor now() {
        return now;
    }

    public void advance(Duration by) {
        long end = now.nanos() + by.toNanos();
        while (true) {
            Optional<DueTask> next =
                    timers.stream().filter(due -> due.at() <= end).min((a, b) -> Long.compare(a.at(), b.at()));
            if (next.isEmpty()) {
                jump(Duration.ofNanos(end - now.nanos()));
                return;
            }
            timers.remove(next.get());
            jump(Duration.ofNanos(Math.max(0, next.get().at() - now.nanos())));
            next.get().task().run();
        }
    }

    public void jump(Duration by) {
        now = new Anchor(now.nanos() + by.toNanos(), now.wall().plus(by));
    }

    public void stepWall(Duration by) {
        now = new Anchor(now.nanos(), now.wall().plus(by));
    }

    @Override
    public LocalTime time() {
        return new LocalTime() {
            @Override
            public long nanos() {
                return now.nanos();
            }

            @Override
            public Instant wall() {
                return now.wall();
            }
        };
    }

    @Override
    public void run(Runnable task) {
        if (holds) {
            tasks.add(task);
        } else {
            task.run();
        }
    }

    /** Tasks do not run before {@link #runHeld}. */
    public void hold() {
        holds = true;
    }

    public void runHeld() {
        holds = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public void tell(ThreadLane lane, Runnable task) {
        task.run();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        DueTask due = new DueTask(now.nanos() + delay.toNanos(), task);
        timers.add(due);
        return () -> timers.remove(due);
    }

    @Override
    public long random() {
        return 4;
    }

    @Override
    public void close() {}
}
