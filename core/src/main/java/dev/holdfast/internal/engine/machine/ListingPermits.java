package dev.holdfast.internal.engine.machine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Lets few listings at a time go to the store. They may take long, and each keeps a thread that locks need too: a crowd of people
 * who look must not keep anybody from locking. The others wait their turn.
 */
public final class ListingPermits {
    /** One may be slow; two of them leave the other threads to the locks. */
    private static final int AT_ONCE = 2;

    /** More than this, and the last would wait in vain. */
    private static final int MAX_WAITING = 1_000;

    private record Turn(BooleanSupplier wanted, Runnable task) {}

    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int running;

    /**
     * Runs the task now, or in its turn if it is still wanted then; it must call {@link #done} when the store has answered. False
     * if too many wait already.
     */
    public boolean run(BooleanSupplier wanted, Runnable task) {
        synchronized (this) {
            if (running >= AT_ONCE) {
                return waiting.size() < MAX_WAITING && waiting.add(new Turn(wanted, task));
            }
            running++;
        }
        task.run();
        return true;
    }

    public void done() {
        Turn next;
        synchronized (this) {
            do {
                next = waiting.poll();
            } while (next != null && !next.wanted().getAsBoolean());
            if (next == null) {
                running--;
                return;
            }
        }
        next.task().run();
    }
}
