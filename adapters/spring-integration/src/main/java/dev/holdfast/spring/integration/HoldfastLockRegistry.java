package dev.holdfast.spring.integration;

import dev.holdfast.AcquireOptions;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LockKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Locks for Spring Integration: aggregators, file sources, leader election ({@code LockRegistryLeaderInitiator}).
 *
 * <pre>{@code
 * @Bean
 * LockRegistry lockRegistry(LockClient locks) {
 *     return new HoldfastLockRegistry(locks, "orders");
 * }
 * }</pre>
 *
 * <p>A lock belongs to the thread that has taken it, which may take it again and unlocks it as often. Other threads and processes wait in one
 * queue, in order. The lease is renewed until it is unlocked, so there is no time to guess and no scheduler to set; what a dead process held is
 * free when its lease ends, and what a thread held that ended without unlocking is given back too.
 *
 * <p>A lease that was lost is told: taking the lock again throws {@link dev.holdfast.LeaseLostException}, and the last unlock a
 * {@link java.util.ConcurrentModificationException}, as other registries do. A store that fails is a
 * {@link dev.holdfast.spi.StoreException}; {@code tryLock} never answers false for that. Locks have no conditions. With Spring Integration 7
 * they are {@code DistributedLock}s. Safe for any thread.
 */
public final class HoldfastLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {
    private final ThreadLocks locks;
    private final String namespace;
    private final Duration lease;

    /** Locks of this namespace, with leases of 30 s. */
    public HoldfastLockRegistry(LockClient client, String namespace) {
        this(client, namespace, AcquireOptions.DEFAULT_LEASE);
    }

    /**
     * Locks of this namespace.
     *
     * @param lease how long a lock stays ours without a renewal: after this, those of a dead process are free
     */
    public HoldfastLockRegistry(LockClient client, String namespace, Duration lease) {
        this.locks = ThreadLocks.of(client).withLease(lease);
        this.namespace = LockKey.of(namespace, "any").namespace(); // a bad name is told now
        this.lease = lease;
    }

    /**
     * The lock of this name. Names are the text of the key; one that is no name, as it is too long or contains control characters, is
     * replaced by its SHA-256. A {@link LockKey} is used as it is.
     */
    @Override
    public Lock obtain(Object lockKey) {
        return DistributedLocks.of(lock(lockKey));
    }

    private RegistryLock lock(Object of) {
        return new RegistryLock(locks, of instanceof LockKey key ? key : named(of.toString()));
    }

    private LockKey named(String text) {
        try {
            return LockKey.of(namespace, text);
        } catch (IllegalArgumentException e) {
            return LockKey.of(
                    namespace,
                    "sha256:"
                            + Sha256.of(
                                    text.getBytes(StandardCharsets.UTF_8))); // such as a message's own data as a key
        }
    }

    /**
     * Nothing to do for locks in use, which are renewed by themselves; makes the lease of this thread's lock last at least its length from now.
     *
     * @throws IllegalStateException if this thread does not hold it any more
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, lease);
    }

    /**
     * Makes the lease of this thread's lock last at least this long from now.
     *
     * @throws IllegalStateException if this thread does not hold it any more
     */
    @SuppressWarnings("MissingOverride") // Spring Integration 6 does not have it
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).renew(ttl);
    }

    /** Does nothing: no lock is kept here that nobody holds. */
    @Override
    public void expireUnusedOlderThan(long age) {
        // A lock that is not in use is only its name.
    }

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + namespace + "]";
    }
}
