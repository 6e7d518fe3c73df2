package dev.holdfast.concurrent;

import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the calling thread holds through the views of one {@link ThreadLocks}. What a thread holds is reachable from that thread alone: when
 * it ends without unlocking, nothing refers to its leases any more, and the engine gives them back.
 */
final class ThreadHolds {
    @SuppressWarnings("ThreadLocalUsage") // one per ThreadLocks, of which there is one per client
    private final ThreadLocal<List<CountedHold>> held = new ThreadLocal<>();

    /** One lock in one mode, as the calling thread holds it. */
    static final class CountedHold {
        final LockKey key;
        final Mode.Kind kind;
        /** One; of a semaphore, one for each permit. */
        final Deque<Lease> leases = new ArrayDeque<>();

        /** How often it was taken for writing, or as a permit. */
        int writes;
        /** How often it was taken for reading. */
        int reads;

        CountedHold(LockKey key, Mode.Kind kind) {
            this.key = key;
            this.kind = kind;
        }

        /** How often it was taken in this way. */
        int count(Mode.Kind as) {
            return as == Mode.Kind.SHARED ? reads : writes;
        }

        private void add(Mode.Kind as, int more) {
            if (as == Mode.Kind.SHARED) {
                reads += more;
            } else {
                writes += more;
            }
        }
    }

    private List<CountedHold> mine() {
        List<CountedHold> all = held.get();
        return all == null ? List.of() : all;
    }

    private Optional<CountedHold> mine(LockKey key) {
        return mine().stream().filter(one -> one.key.equals(key)).findFirst();
    }

    /** What the calling thread has taken in this way, if anything. */
    Optional<CountedHold> taken(LockKey key, Mode.Kind as) {
        return mine(key)
                .filter(one -> (one.kind == Mode.Kind.PERMIT) == (as == Mode.Kind.PERMIT))
                .filter(one -> one.count(as) > 0);
    }

    // ---- taking

    /**
     * Takes once more what the calling thread holds; false if it does not hold it, and may ask for it. A permit is always another one.
     *
     * @throws dev.holdfast.LeaseLostException if what it holds is lost
     * @throws IllegalStateException if it would wait for itself
     */
    boolean reenter(LockKey key, Mode mode) {
        Optional<CountedHold> same = mine(key);
        if (same.isPresent() && covers(same.get(), mode.kind())) {
            same.get().leases.getLast().ensureValid();
            same.get().add(mode.kind(), 1);
            return true;
        }
        for (CountedHold other : mine()) {
            String conflict = conflict(other, key, mode);
            if (conflict != null) {
                throw new IllegalStateException(
                        "Thread '" + Thread.currentThread().getName() + "' would wait for itself: " + conflict);
            }
        }
        return false;
    }

    private static boolean covers(CountedHold held, Mode.Kind wanted) {
        return switch (held.kind) {
            case EXCLUSIVE -> wanted != Mode.Kind.PERMIT;
            case SHARED -> wanted == Mode.Kind.SHARED;
            case PERMIT -> false;
        };
    }

    private static @Nullable String conflict(CountedHold held, LockKey key, Mode mode) {
        if (!held.key.record().equals(key.record()) || !held.key.path().overlaps(key.path())) {
            return null;
        }
        boolean same = held.key.equals(key);
        if (held.kind == Mode.Kind.SHARED && mode.kind() == Mode.Kind.SHARED) {
            return null;
        }
        if (same && held.kind == Mode.Kind.PERMIT && mode.kind() == Mode.Kind.PERMIT) {
            return held.writes < mode.limit()
                    ? null
                    : "it holds " + held.writes + " of the " + mode.limit() + " permits of " + key
                            + ". Release one first";
        }
        if (same && held.kind == Mode.Kind.SHARED && mode.kind() == Mode.Kind.EXCLUSIVE) {
            return "it holds the read lock of " + key + ", which cannot become the write lock, since two readers could"
                    + " wait for each other. Unlock it first, take the write lock, and look again at what you have read";
        }
        return "it holds " + held.key + " (" + held.kind.name().toLowerCase(Locale.ROOT) + "), which excludes " + key
                + " (" + mode + "). Unlock it first, or use another lock";
    }

    /** The calling thread was granted what it asked for. */
    void granted(LockKey key, Mode.Kind as, Lease lease) {
        List<CountedHold> all = held.get();
        if (all == null) {
            all = new ArrayList<>(2);
            held.set(all);
        }
        CountedHold counted = mine(key).filter(one -> one.kind == as).orElse(null);
        if (counted == null) {
            counted = new CountedHold(key, as);
            all.add(counted);
        }
        counted.leases.addLast(lease);
        counted.add(as, 1);
    }

    // ---- giving back

    /**
     * The calling thread gives back once what it has taken in this way: the lease, if that was the last time.
     *
     * @throws IllegalMonitorStateException if it has not taken it
     */
    Optional<Lease> leave(LockKey key, Mode.Kind as) {
        CountedHold counted = taken(key, as).orElseThrow(() -> notMine(key, as));
        counted.add(as, -1);
        boolean last = counted.writes + counted.reads == 0;
        if (last) {
            mine().remove(counted);
            if (mine().isEmpty()) {
                held.remove();
            }
        }
        return last || as == Mode.Kind.PERMIT ? Optional.of(counted.leases.removeLast()) : Optional.empty();
    }

    /** The lease under which the calling thread holds it. */
    Lease lease(LockKey key, Mode.Kind as) {
        return taken(key, as).orElseThrow(() -> notMine(key, as)).leases.getLast();
    }

    private static IllegalMonitorStateException notMine(LockKey key, Mode.Kind as) {
        String what = switch (as) {
            case EXCLUSIVE -> "lock ";
            case SHARED -> "the read lock of ";
            case PERMIT -> "a permit of ";
        };
        return new IllegalMonitorStateException(
                "Thread '" + Thread.currentThread().getName() + "' does not hold " + what + key
                        + ": only the thread that has taken it may unlock it, once for each time it was taken");
    }
}
