package dev.holdfast.concurrent;

import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import java.time.Duration;

/**
 * The locks of a {@link LockClient} as {@link java.util.concurrent.locks.Lock}, {@link java.util.concurrent.locks.ReadWriteLock} and
 * semaphore, for code that is written against those. They belong to the thread that takes them, and are reentrant.
 *
 * <pre>{@code
 * ThreadLocks locks = ThreadLocks.of(client);
 * ThreadLock lock = locks.lock("nightly-report");
 * lock.lock();
 * try {
 *     writeReport(lock.lease().token());
 * } finally {
 *     lock.unlock(); // LeaseLostException if it was lost meanwhile
 * }
 * }</pre>
 *
 * <p>Unlike a lock inside one process, one that processes share can be lost while it is held: ask {@link ThreadLock#lease()}, and pass on its
 * token. Code that can use a {@link dev.holdfast.Lease} directly is shorter, and may hand it to another thread.
 *
 * <p>All views of one such object, and of those made from it by what begins with {@code with}, know of each other: a thread that would wait
 * for itself, such as a reader that wants to write, gets an {@link IllegalStateException}. Views of another {@code ThreadLocks}, and leases
 * taken from the client, are somebody else's. So have one per client.
 *
 * <p>A thread that ends without unlocking gives its locks back some time later, with a warning in the log.
 *
 * <p>Safe for any thread. Closing the client ends them all.
 */
public final class ThreadLocks {
    private final LeaseSource source;
    private final ThreadHolds holds;

    private ThreadLocks(LeaseSource source, ThreadHolds holds) {
        this.source = source;
        this.holds = holds;
    }

    /** Of the locks of this client, with the usual lease of 30 s, which is renewed. */
    public static ThreadLocks of(LockClient client) {
        return new ThreadLocks(LeaseSource.of(client), new ThreadHolds());
    }

    /** The same with another length of leases, 100 ms to 24 h: how long a lock stays yours without a renewal. */
    public ThreadLocks withLease(Duration lease) {
        return new ThreadLocks(source.withLease(lease), holds);
    }

    /** The same, with a reason for holding its locks, shown to others. */
    public ThreadLocks withReason(String reason) {
        return new ThreadLocks(source.withReason(reason), holds);
    }

    /** The lock of this name in the namespace of the client. */
    public ThreadLock lock(String name) {
        return lock(source.client().key(name));
    }

    /** This lock, for one thread at a time; the same as the write lock of {@link #readWriteLock(LockKey)}. */
    public ThreadLock lock(LockKey key) {
        return new ThreadLock(key, Mode.EXCLUSIVE, source, holds);
    }

    /** The lock of this name in the namespace of the client, for readers and writers. */
    public ThreadReadWriteLock readWriteLock(String name) {
        return readWriteLock(source.client().key(name));
    }

    /** This lock, for readers and writers. */
    public ThreadReadWriteLock readWriteLock(LockKey key) {
        return new ThreadReadWriteLock(lock(key), new ThreadLock(key, Mode.SHARED, source, holds));
    }

    /** The lock of this name in the namespace of the client, as this many permits. */
    public ThreadSemaphore semaphore(String name, int permits) {
        return semaphore(source.client().key(name), permits);
    }

    /** This lock, as so many permits, 1 to 1,000. Where others ask with another number, the smallest counts. */
    public ThreadSemaphore semaphore(LockKey key, int permits) {
        return new ThreadSemaphore(key, Mode.permit(permits), source, holds);
    }
}
