package dev.holdfast.concurrent;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that processes share, for readers and writers, as a {@link ReadWriteLock} of Java. Made by {@link ThreadLocks}. Readers that come
 * later do not overtake a writer that waits.
 *
 * <p><b>From writing to reading.</b> A thread that has the write lock may take the read lock too, and then unlock the write lock. Nobody comes
 * between; but other readers come only when the read lock is unlocked, since the lock stays exclusive until then.
 *
 * <p><b>From reading to writing.</b> A thread that has only the read lock gets an {@link IllegalStateException} when it asks for the write lock,
 * waiting or not: two such threads would wait for each other.
 *
 * <p>Safe for any thread.
 */
public final class ThreadReadWriteLock implements ReadWriteLock {
    private final ThreadLock write;
    private final ThreadLock read;

    ThreadReadWriteLock(ThreadLock write, ThreadLock read) {
        this.write = write;
        this.read = read;
    }

    /** For any number of readers at once. Their leases have different tokens, and none of them fences off another. */
    @Override
    public ThreadLock readLock() {
        return read;
    }

    /** For one writer alone. */
    @Override
    public ThreadLock writeLock() {
        return write;
    }

    @Override
    public String toString() {
        return "ThreadReadWriteLock[" + write.key() + "]";
    }
}
