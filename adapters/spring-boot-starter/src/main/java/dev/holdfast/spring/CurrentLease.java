package dev.holdfast.spring;

import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The lease under which a method marked {@link WithLock} runs, for code on the same thread: to look whether it is still held, or to pass on
 * its token.
 *
 * <pre>{@code
 * CurrentLease.get().ensureValid();
 * }</pre>
 */
public final class CurrentLease {
    /** Of this thread, the innermost first. Of more than one thread where a transaction ends on another. */
    private static final ThreadLocal<Deque<Lease>> HELD = ThreadLocal.withInitial(ConcurrentLinkedDeque::new);

    private CurrentLease() {}

    /**
     * The lease of the innermost method.
     *
     * @throws IllegalStateException if this thread runs no method marked {@link WithLock}
     */
    public static Lease get() {
        return find().orElseThrow(
                        () -> new IllegalStateException(
                                "No method marked @WithLock runs on this thread."
                                        + " Was it called through its bean? Work that was handed to another thread needs the lease as an argument"));
    }

    /** The lease of the innermost method; empty if this thread runs none. */
    public static Optional<Lease> find() {
        return Optional.ofNullable(HELD.get().peekFirst());
    }

    /** A lease of this thread that includes this lock. */
    static Optional<Lease> covering(LockKey key) {
        return HELD.get().stream().filter(lease -> includes(lease.key(), key)).findFirst();
    }

    private static boolean includes(LockKey held, LockKey wanted) {
        String path = held.path().value();
        return held.record().equals(wanted.record())
                && (path.isEmpty() || (wanted.path().value() + "/").startsWith(path + "/"));
    }

    /** Remembers a lease for this thread. */
    static ThreadLease hold(Lease lease) {
        Deque<Lease> held = HELD.get();
        held.addFirst(lease);
        return new ThreadLease(held, lease);
    }

    /** A lease that is remembered until this is ended, by whatever thread. */
    record ThreadLease(Deque<Lease> among, Lease lease) {
        void end() {
            among.removeFirstOccurrence(lease);
            if (HELD.get().isEmpty()) {
                HELD.remove();
            }
        }
    }
}
