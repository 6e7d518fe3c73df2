package dev.holdfast.internal.engine.leases;

import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of renewals is under way at once; the others wait their turn, those first that would be lost first. Safe for any
 * thread.
 */
final class RenewalTurns {
    private final int places;
    private final Consumer<KeptLease> send;

    /** Those that wait; guarded by itself, as is all below. */
    private final PriorityQueue<Turn> turns = new PriorityQueue<>();

    private int underWay;
    private long comings;
    private boolean sending;

    /** A lease that is due, by when it ends unless it is renewed; in the order in which they came. */
    private record Turn(KeptLease lease, long end, long number) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return end == other.end ? Long.compare(number, other.number) : Long.compare(end - other.end, 0);
        }
    }

    /**
     * Turns among so many places.
     *
     * @param send renews a lease that has got a place, which it keeps until {@link #leave}
     */
    RenewalTurns(int places, Consumer<KeptLease> send) {
        this.places = places;
        this.send = send;
    }

    /** It is to be renewed, before {@code end}. */
    void add(KeptLease lease, long end) {
        synchronized (turns) {
            turns.add(new Turn(lease, end, ++comings));
        }
        sendNext();
    }

    /** Sends as many as there are places. One thread does so at a time: an answer that comes at once does not send the next one within. */
    void sendNext() {
        for (KeptLease lease = next(true); lease != null; lease = next(false)) {
            try {
                send.accept(lease);
            } catch (Throwable e) { // such as no memory: the others must not wait for this one for ever
                leave(lease);
                synchronized (turns) {
                    sending = false;
                }
                throw e;
            }
        }
    }

    /** The next one to be sent; none if enough are, or if another thread sends them. */
    private @Nullable KeptLease next(boolean first) {
        synchronized (turns) {
            if (first && sending) {
                return null;
            }
            KeptLease next = underWay < places ? poll() : null;
            sending = next != null;
            underWay += sending ? 1 : 0;
            return next;
        }
    }

    private @Nullable KeptLease poll() {
        for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
            KeptLease lease = turn.lease();
            lease.underWay = true; // before it is looked at: who ends it from now on sees that it has a place
            if (lease.isValid()) {
                return lease;
            }
            lease.underWay = false; // lost or released, or about to be found lost
        }
        return null;
    }

    /** It is not under way any more: it was answered, or has ended and nobody waits for its answer. */
    void leave(KeptLease lease) {
        synchronized (turns) {
            underWay -= lease.underWay ? 1 : 0;
            lease.underWay = false;
        }
    }

    /** It has ended: its place, if it has one, is for the next. */
    void end(KeptLease lease) {
        if (lease.underWay) {
            leave(lease);
            sendNext();
        }
    }
}
