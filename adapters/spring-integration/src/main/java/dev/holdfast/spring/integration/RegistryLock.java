package dev.holdfast.spring.integration;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/**
 * One lock of a registry, for any thread. Has the methods of Spring Integration 7's {@code DistributedLock}, too.
 *
 * @param locks what threads hold
 * @param key which lock
 */
record RegistryLock(RegistryLocks locks, LockKey key) implements Lock {
    private static final Duration MAX_WAIT = Duration.ofDays(7);

    @Override
    public void lock() {
        lock(locks.lease());
    }

    /** Waits for the lock, and keeps it this long without a renewal. */
    public void lock(Duration ttl) {
        boolean unused = locks.takeOn(
                key,
                ttl,
                (client, name, options) -> done(client.acquireUninterruptibly(name, options.andThen(forever()))));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean unused = locks.take(
                key, locks.lease(), (client, name, options) -> done(client.acquire(name, options.andThen(forever()))));
    }

    private static Attempt<Lease> done(Lease lease) {
        return new Attempt.Done<>(lease);
    }

    private static Consumer<AcquireOptions> forever() {
        return AcquireOptions::waitForever;
    }

    @Override
    public boolean tryLock() {
        return locks.takeOn(key, locks.lease(), LockClient::tryAcquireUninterruptibly);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.of(time, unit.toChronoUnit()), locks.lease());
    }

    /** Takes the lock if it becomes free in this time, and keeps it this long without a renewal. */
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        Duration wait = waitTime.isNegative() ? Duration.ZERO : waitTime.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : waitTime;
        return locks.take(
                key, ttl, (client, name, options) -> client.tryAcquire(name, options.andThen(o -> o.waitUpTo(wait))));
    }

    @Override
    public void unlock() {
        locks.giveBack(key);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock that processes share has no conditions");
    }

    @Override
    public String toString() {
        return "RegistryLock[" + key + "]";
    }
}
