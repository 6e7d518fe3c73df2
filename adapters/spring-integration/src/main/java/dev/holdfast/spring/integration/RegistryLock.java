package dev.holdfast.spring.integration;

import dev.holdfast.LeaseLostException;
import dev.holdfast.concurrent.ThreadLock;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** One lock of a registry, for any thread. Has the methods of Spring Integration 7's {@code DistributedLock}, too. */
record RegistryLock(ThreadLocks locks, LockKey key) implements Lock {
    private ThreadLock lasting(Duration ttl) {
        return locks.withLease(ttl).lock(key);
    }

    private ThreadLock plain() {
        return locks.lock(key);
    }

    @Override
    public void lock() {
        plain().lock();
    }

    /** Waits for the lock, and keeps it this long without a renewal. */
    public void lock(Duration ttl) {
        lasting(ttl).lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        plain().lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return plain().tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return plain().tryLock(time, unit);
    }

    /** Takes the lock if it becomes free in this time, and keeps it this long without a renewal. */
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return lasting(ttl).tryLock(TimeUnit.NANOSECONDS.convert(waitTime), TimeUnit.NANOSECONDS);
    }

    @Override
    public void unlock() {
        try {
            plain().unlock();
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost = new ConcurrentModificationException("Lock " + key
                    + " was lost before it was unlocked (" + e.reason()
                    + "): what was done under it may have been done beside another holder");
            lost.initCause(e);
            throw lost;
        }
    }

    /** Makes the lease of this thread last at least this long from now. */
    void renew(Duration ttl) {
        ThreadLock lock = plain();
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("Lock " + key + " cannot be renewed: this thread does not hold it");
        }
        if (!lock.lease().extend(ttl)) {
            LostReason reason = lock.lease().lostFor().orElse(LostReason.UNKNOWN);
            throw new IllegalStateException(
                    "Lock " + key + " cannot be renewed: it was lost", new LeaseLostException(key, reason));
        }
    }

    @Override
    public Condition newCondition() {
        return plain().newCondition(); // which says why there are none
    }

    @Override
    public String toString() {
        return "RegistryLock[" + key + "]";
    }
}
