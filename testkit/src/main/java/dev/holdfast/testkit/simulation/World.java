package dev.holdfast.testkit.simulation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Virtual time, the order of events, and chance. One thread; the same seed gives the same world. */
final class World {
    private static final int TRACE_LINES = 400;

    final SplittableRandom chance;
    private final boolean tracing;
    private final Deque<TraceLine> trace = new ArrayDeque<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.<Event>comparingLong(event -> event.time).thenComparingLong(event -> event.order));
    private long now;
    private long sequence;
    private long executed;

    World(long seed, boolean tracing) {
        this.chance = new SplittableRandom(seed);
        this.tracing = tracing;
    }

    /** True time in nanoseconds since the start. */
    long now() {
        return now;
    }

    long executed() {
        return executed;
    }

    /** Does the task at this true time. */
    Event at(long time, Runnable task) {
        Event event = new Event(Math.max(now, time), sequence++, task);
        events.add(event);
        return event;
    }

    Event in(long delay, Runnable task) {
        return at(now + delay, task);
    }

    /** Does the next event; false if there is none. */
    boolean step() {
        while (true) {
            Event next = events.poll();
            if (next == null) {
                return false;
            }
            if (!next.cancelled) {
                now = next.time;
                executed++;
                next.task.run();
                return true;
            }
        }
    }

    boolean happens(double probability) {
        return chance.nextDouble() < probability;
    }

    /** A duration in nanoseconds between two numbers of milliseconds. */
    long millis(double from, double to) {
        return (long) (chance.nextDouble(from, to) * 1e6);
    }

    void trace(Supplier<String> line) {
        if (tracing) {
            if (trace.size() == TRACE_LINES) {
                trace.removeFirst();
            }
            trace.addLast(new TraceLine(now, line.get()));
        }
    }

    String traced() {
        return trace.stream()
                .map(one -> String.format("%10.3f ms  %s", one.time() / 1e6, one.line()))
                .collect(Collectors.joining("\n"));
    }

    private record TraceLine(long time, String line) {}

    /** Something that will be done. */
    static final class Event {
        private final long time;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        private Event(long time, long order, Runnable task) {
            this.time = time;
            this.order = order;
            this.task = task;
        }

        void cancel() {
            cancelled = true;
        }
    }
}
