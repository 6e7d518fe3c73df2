package dev.holdfast.test.machine;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A machine for engines in which nothing happens by itself: tasks run one after another on the thread that brings the
 * first, timers when a test calls {@link #advance}, randomness comes from a seed.
 *
 * <p>Several engines share one timeline through {@link #peer()}; each ends its own part of it. Tasks and listeners must not
 * wait for each other: they run on the same thread. Safe for any thread.
 */
public final class TestMachine implements Machine {
    private final Timeline timeline;
    private final List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** A machine on this clock; tasks run in the order they came. */
    public TestMachine(SettableClock clock, long seed) {
        this(new Timeline(clock, seed, false));
    }

    private TestMachine(Timeline timeline) {
        this.timeline = timeline;
    }

    /** A machine that runs waiting tasks in random order: a real one does not promise any. */
    public static TestMachine shuffled(SettableClock clock, long seed) {
        return new TestMachine(new Timeline(clock, seed, true));
    }

    /** Another machine on the same timeline, for another engine. */
    public TestMachine peer() {
        return new TestMachine(timeline);
    }

    /** Lets time pass, running each timer that becomes due at its own time, on all machines of the timeline. */
    public void advance(Duration time) {
        timeline.advance(time);
    }

    /**
     * Lets time pass until the next timer and runs it, if that is within this time; else lets all of it pass.
     *
     * @return whether there was a timer, so that there may be another
     */
    public boolean step(Duration within) {
        return timeline.step(timeline.clock.nanos() + within.toNanos());
    }

    @Override
    public LocalTime time() {
        return timeline.clock;
    }

    @Override
    public void run(Runnable task) {
        timeline.soon(new Task(this, task));
    }

    /** Foreign code may throw; as on a real machine, that stops nobody else. */
    @Override
    public void tell(ThreadLane lane, Runnable task) {
        run(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                thrown.add(e);
            }
        });
    }

    /** What listeners have thrown here. */
    public List<RuntimeException> thrown() {
        return List.copyOf(thrown);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return timeline.later(delay, new Task(this, task));
    }

    @Override
    public long random() {
        return timeline.random();
    }

    @Override
    public void close() {
        closed = true;
    }

    private record Task(TestMachine owner, Runnable work) {
        void perform() {
            if (!owner.closed) {
                work.run();
            }
        }
    }

    private record DueTask(long at, long number, Task task) {}

    /** What is to be done, now and later, on all machines that share it. */
    private static final class Timeline {
        /** More tasks or timers in one go than any test needs: an engine that turns in circles fails instead of hanging. */
        private static final int MAX_STEPS = 200_000;

        private final SettableClock clock;
        private final Random random;
        private final boolean shuffled;
        private final List<Task> tasks = new ArrayList<>();
        private final PriorityQueue<DueTask> timers =
                new PriorityQueue<>(Comparator.comparingLong(DueTask::at).thenComparingLong(DueTask::number));
        private boolean running;
        private long numbers;

        Timeline(SettableClock clock, long seed, boolean shuffled) {
            this.clock = clock;
            this.random = new Random(seed);
            this.shuffled = shuffled;
        }

        synchronized long random() {
            return random.nextLong();
        }

        void soon(Task task) {
            synchronized (this) {
                tasks.add(task);
                if (running) {
                    return; // whoever runs tasks now runs this one too
                }
                running = true;
            }
            for (int step = 0; step < MAX_STEPS; step++) {
                Task next = next();
                if (next == null) {
                    return;
                }
                next.perform();
            }
            throw new IllegalStateException("the engine keeps itself busy: " + MAX_STEPS + " tasks in a row");
        }

        private synchronized @Nullable Task next() {
            if (tasks.isEmpty()) {
                running = false;
                return null;
            }
            return tasks.remove(shuffled ? random.nextInt(tasks.size()) : 0);
        }

        synchronized Timer later(Duration delay, Task task) {
            DueTask due = new DueTask(clock.nanos() + Math.max(0, delay.toNanos()), numbers++, task);
            timers.add(due);
            return () -> {
                synchronized (this) {
                    timers.remove(due);
                }
            };
        }

        void advance(Duration time) {
            long end = clock.nanos() + time.toNanos();
            for (int step = 0; step < MAX_STEPS; step++) {
                if (!step(end)) {
                    return;
                }
            }
            throw new IllegalStateException("the engine keeps itself busy: " + MAX_STEPS + " timers in " + time);
        }

        boolean step(long end) {
            DueTask due = due(end);
            clock.advance(Duration.ofNanos(Math.max(0, (due == null ? end : due.at()) - clock.nanos())));
            if (due != null) {
                soon(due.task());
            }
            return due != null;
        }

        private synchronized @Nullable DueTask due(long end) {
            DueTask first = timers.peek();
            return first != null && first.at() <= end ? timers.poll() : null;
        }
    }
}
