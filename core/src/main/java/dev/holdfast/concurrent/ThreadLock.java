package dev.holdfast.concurrent;

import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that processes share, as a {@link Lock} of Java: it belongs to the thread that takes it, which may take it again, and unlocks it as
 * often. Made by {@link ThreadLocks}; several objects for one lock are the same lock.
 *
 * <p>Whoever waits stands in the queue of the lock, in the order in which callers came, in all processes. Taking it
 * throws a {@link dev.holdfast.spi.StoreException} if the store fails, which is never reported as a busy lock, and
 * {@link dev.holdfast.failure.ClientClosedException} if the client is closed.
 *
 * <p>Safe for any thread; each sees its own holds.
 */
public final class ThreadLock implements Lock {
    private final LockKey key;
    private final Mode mode;
    private final LeaseSource source;
    private final ThreadHolds holds;

    ThreadLock(LockKey key, Mode mode, LeaseSource source, ThreadHolds holds) {
        this.key = key;
        this.mode = mode;
        this.source = source;
        this.holds = holds;
    }

    /** Which lock it is. */
    public LockKey key() {
        return key;
    }

    // ---- taking

    /**
     * Takes the lock, waiting as long as it takes, even when the thread is interrupted.
     *
     * @throws dev.holdfast.LeaseLostException if this thread holds it already, and has lost it
     * @throws IllegalStateException if this thread holds something that would make it wait for itself, such as the read lock
     */
    @Override
    public void lock() {
        if (!holds.reenter(key, mode)) {
            holds.granted(key, mode.kind(), source.uninterruptibly(key, mode));
        }
    }

    /** The same until the thread is interrupted: it then has no place in the queue any more. */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        notInterrupted();
        if (!holds.reenter(key, mode)) {
            holds.granted(key, mode.kind(), source.interruptibly(key, mode));
        }
    }

    /** Takes the lock if it is free and nobody waits for it. Throws like {@link #lock()}: false always means that others have it. */
    @Override
    public boolean tryLock() {
        return holds.reenter(key, mode) || granted(source.now(key, mode));
    }

    /**
     * Takes the lock if it becomes free in this time; seven days or more are taken for ever. Throws like {@link #lock()}: false always
     * means that others have it.
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        notInterrupted();
        return holds.reenter(key, mode) || granted(source.within(key, mode, time, unit));
    }

    private boolean granted(Optional<Lease> lease) {
        lease.ifPresent(it -> holds.granted(key, mode.kind(), it));
        return lease.isPresent();
    }

    private void notInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before taking lock " + key);
        }
    }

    // ---- giving back

    /**
     * Gives the lock back, if this was the thread's last hold on it. After any exception but the first below, this
     * thread no longer holds it.
     *
     * @throws IllegalMonitorStateException if this thread does not hold it; another may
     * @throws dev.holdfast.LeaseLostException if it was lost before: another may have held it at the same time
     * @throws dev.holdfast.spi.StoreException if the store failed, so that it is not known whether it was held to the end; it ends by itself
     */
    @Override
    public void unlock() {
        holds.leave(key, mode.kind()).ifPresent(source::release);
    }

    // ---- while it is held

    /** Whether the calling thread has taken it. It may be lost nevertheless: see {@link #lease()}. */
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    /** How often the calling thread has taken it and not given it back. */
    public int holdCount() {
        return holds.taken(key, mode.kind())
                .map(held -> held.count(mode.kind()))
                .orElse(0);
    }

    /**
     * The lease under which the calling thread holds it, with its token and whether it is still valid. Leave the release to
     * {@link #unlock()}.
     *
     * @throws IllegalMonitorStateException if this thread does not hold it
     */
    public Lease lease() {
        return holds.lease(key, mode.kind());
    }

    /**
     * Not possible.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "A lock that processes share has no conditions: a signal that is sent while its receiver"
                        + " is cut off would be lost, and the receiver would wait for ever. Unlock, and look again later; or keep what you wait"
                        + " for where both sides see it");
    }

    @Override
    public String toString() {
        int count = holdCount();
        return "ThreadLock[" + key + ", " + mode + (count == 0 ? "" : ", held " + count + " times by this thread")
                + "]";
    }
}
