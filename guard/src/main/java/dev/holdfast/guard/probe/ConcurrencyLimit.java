package dev.holdfast.guard.probe;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** A number of places for work; what finds none waits in order, up to a limit. */
final class ConcurrencyLimit {
    private final int places;
    private final int mostWaiting;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private final Set<Runnable> inside = new HashSet<>();

    ConcurrencyLimit(int places, int mostWaiting) {
        this.places = places;
        this.mostWaiting = mostWaiting;
    }

    /** Runs the work now or when a place is free; false if too much is waiting already. */
    boolean enter(Runnable work) {
        synchronized (this) {
            if (inside.size() == places) {
                return waiting.size() < mostWaiting && waiting.add(work);
            }
            inside.add(work);
        }
        work.run();
        return true;
    }

    /** Gives back what the work has: its turn if it is still waiting; its place, which the next one gets. */
    void leave(Runnable work) {
        Runnable next;
        synchronized (this) {
            if (waiting.remove(work) || !inside.remove(work) || waiting.isEmpty()) {
                return;
            }
            next = waiting.iterator().next();
            waiting.remove(next);
            inside.add(next);
        }
        next.run();
    }

    /** Nobody waits any longer. */
    synchronized void dismiss() {
        waiting.clear();
    }
}
