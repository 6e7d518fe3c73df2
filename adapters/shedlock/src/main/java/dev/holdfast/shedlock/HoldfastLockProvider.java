package dev.holdfast.shedlock;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * Locks for ShedLock, kept wherever a {@link LockClient} keeps them: in a store, in the database of the application, or at a server.
 *
 * <ul>
 *   <li>{@code lockAtMostFor} is the lease, from 100 ms (what is shorter lasts as long) to 24 h. It is not renewed: the lock ends then, whatever
 *       happens.
 *   <li>{@code lockAtLeastFor} is the minimum hold: an unlock before it has passed keeps the lock busy until then, even if the process ends.
 *   <li>Both count from the moment the lock is granted, by the clock of the store, however far the clocks of the machines are apart.
 *   <li>{@link SimpleLock#extend} gives a new lock with both counted from then, and ends the old one. It never shortens a lock. Of a lock that is
 *       lost it gives empty.
 *   <li>Empty means that somebody else has the lock. If the store fails, or the client is closed, that is a {@link LockException}.
 * </ul>
 *
 * <p>Safe for any thread, also for one that is interrupted: a lock is given back all the same.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {
    private final LockClient locks;
    private final Function<String, LockKey> keys;

    /** Locks in the namespace of the client. Whoever opened the client closes it, after the last job has ended. */
    public HoldfastLockProvider(LockClient locks) {
        this(locks, locks::key);
    }

    private HoldfastLockProvider(LockClient locks, Function<String, LockKey> keys) {
        this.locks = locks;
        this.keys = keys;
    }

    /**
     * The same client with locks in this namespace.
     *
     * @throws IllegalArgumentException if that cannot be the name of a namespace
     */
    public HoldfastLockProvider inNamespace(String namespace) {
        LockKey any = LockKey.of(namespace, "any"); // a bad name is told now, not when the first job is due
        return new HoldfastLockProvider(locks, name -> LockKey.of(any.namespace(), name));
    }

    /**
     * Takes the lock if it is free.
     *
     * @throws LockException if the store failed or the client is closed
     * @throws IllegalArgumentException if the name or the time is out of bounds
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration asked) {
        LockKey key = keys.apply(asked.getName());
        Duration lease = lease(asked);
        long since = System.nanoTime();
        Attempt<Lease> attempt = HoldfastLock.told(
                key,
                "taken",
                () -> locks.tryAcquireUninterruptibly(
                        key, o -> o.lease(lease).withoutRenewal().minHold(asked.getLockAtLeastFor())));
        return attempt.fold(
                done -> Optional.of(new HoldfastLock(asked, done.value(), since)), busy -> Optional.empty(), lost -> {
                    throw new LockException("Lock " + key + " was lost before it was granted: " + lost.reason());
                });
    }

    /** How long a lock lasts at most, as a lease. */
    static Duration lease(LockConfiguration asked) {
        Duration atMost = asked.getLockAtMostFor();
        if (atMost.compareTo(Terms.MAX_LEASE) > 0) {
            throw new IllegalArgumentException("lockAtMostFor of lock '" + asked.getName() + "' is " + atMost
                    + " and may be at most " + Terms.MAX_LEASE
                    + ". Set a shorter one, and use KeepAliveLockProvider for jobs that may take longer");
        }
        return atMost.compareTo(Terms.MIN_LEASE) < 0 ? Terms.MIN_LEASE : atMost;
    }
}
