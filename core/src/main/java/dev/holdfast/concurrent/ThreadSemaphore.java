package dev.holdfast.concurrent;

import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A bounded number of permits that processes share, with the methods of {@link java.util.concurrent.Semaphore}. Made by
 * {@link ThreadLocks}. Each permit has a lease of its own: those of a process that dies are free when their leases end.
 *
 * <p>Unlike in Java's semaphore, a permit belongs to the thread that takes it, and only that thread gives it back; a
 * thread may have several. Whoever waits stands in the queue, in the order in which callers came. Taking one throws a
 * {@link dev.holdfast.spi.StoreException} if the store fails, which is never reported as no permit being free.
 *
 * <p>Safe for any thread; each sees its own permits.
 */
public final class ThreadSemaphore {
    private final LockKey key;
    private final Mode mode;
    private final LeaseSource source;
    private final ThreadHolds holds;

    ThreadSemaphore(LockKey key, Mode mode, LeaseSource source, ThreadHolds holds) {
        this.key = key;
        this.mode = mode;
        this.source = source;
        this.holds = holds;
    }

    /** Which lock it is. */
    public LockKey key() {
        return key;
    }

    /** How many there are in all. */
    public int permits() {
        return mode.limit();
    }

    /**
     * Takes a permit, waiting until there is one.
     *
     * @throws InterruptedException if the thread is interrupted; no place in the queue is left behind
     * @throws IllegalStateException if this thread has all of them, and would wait for itself
     */
    public void acquire() throws InterruptedException {
        notInterrupted();
        check();
        granted(Optional.of(source.interruptibly(key, mode)));
    }

    /** The same, going on when the thread is interrupted. */
    public void acquireUninterruptibly() {
        check();
        granted(Optional.of(source.uninterruptibly(key, mode)));
    }

    /** Takes a permit if one is free and nobody waits for it. False always means that others have them. */
    public boolean tryAcquire() {
        check();
        return granted(source.now(key, mode));
    }

    /** Takes a permit if one becomes free in this time; seven days or more are taken for ever. */
    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        notInterrupted();
        check();
        return granted(source.within(key, mode, time, unit));
    }

    /** A permit is always another one: only who would wait for itself is refused. */
    private void check() {
        boolean unused = holds.reenter(key, mode);
    }

    private boolean granted(Optional<Lease> lease) {
        lease.ifPresent(it -> holds.granted(key, Mode.Kind.PERMIT, it));
        return lease.isPresent();
    }

    private void notInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before taking a permit of " + key);
        }
    }

    /**
     * Gives back the permit that this thread has taken last.
     *
     * @throws IllegalMonitorStateException if this thread has none
     * @throws dev.holdfast.LeaseLostException if it was lost before: one more than there are may have been at work
     * @throws dev.holdfast.spi.StoreException if the store failed, so that this is not known; the permit ends by itself
     */
    public void release() {
        holds.leave(key, Mode.Kind.PERMIT).ifPresent(source::release);
    }

    /** How many permits the calling thread has. */
    public int holdCount() {
        return holds.taken(key, Mode.Kind.PERMIT)
                .map(held -> held.count(Mode.Kind.PERMIT))
                .orElse(0);
    }

    /**
     * The lease of the permit that the calling thread has taken last. Leave the release to {@link #release()}.
     *
     * @throws IllegalMonitorStateException if this thread has none
     */
    public Lease lease() {
        return holds.lease(key, Mode.Kind.PERMIT);
    }

    @Override
    public String toString() {
        return "ThreadSemaphore[" + key + ", " + mode + "]";
    }
}
