package dev.holdfast.state.deploy;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deploy lock that is held and has claimed its state. It is renewed every 30 seconds by itself; when that fails for too long it says
 * so ({@link #ensureValid()}, {@link Lease#onLost}) before anybody else can be granted it.
 */
public final class DeployLock implements DeployAttempt, AutoCloseable {
    /** How long a release tries, whatever becomes of the thread that asks for it. */
    public static final Duration RELEASE_WITHIN = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(DeployLock.class);

    private final DeployKey key;
    private final Lease lease;
    private final LockClient locks;
    private final Runnable afterRelease;
    /** What a heartbeat found out, perhaps before the lease itself did. */
    private final AtomicReference<@Nullable LostReason> lost = new AtomicReference<>();

    public DeployLock(DeployKey key, Lease lease, LockClient locks, Runnable afterRelease) {
        this.key = key;
        this.lease = lease;
        this.locks = locks;
        this.afterRelease = afterRelease;
    }

    public DeployKey key() {
        return key;
    }

    public Lease lease() {
        return lease;
    }

    /**
     * Does nothing while the lock is certainly held. Once a heartbeat has said that it is not, it never is again.
     *
     * @throws LeaseLostException otherwise
     */
    public void ensureValid() {
        LostReason known = lost.get();
        if (known != null) {
            throw new LeaseLostException(key.lock(), known);
        }
        lease.ensureValid();
    }

    /** Why it is not held any more; empty while it is, as far as is known, and after a release. */
    public Optional<LostReason> lostFor() {
        return Optional.ofNullable(lost.get()).or(lease::lostFor);
    }

    /** Renews now, beside the renewals that happen by themselves; why it is not held any more, if so. */
    public Optional<LostReason> heartbeat() {
        Attempt<Holder> renewed = Uninterruptibly.answer(locks.renew(key.lock(), lease.leaseId()));
        if (renewed instanceof Attempt.Lost<Holder> ended) {
            lost.compareAndSet(null, ended.reason());
        }
        return lostFor();
    }

    /** Releases it within {@link #RELEASE_WITHIN}; true if it was still held. */
    public boolean release() {
        return release(RELEASE_WITHIN);
    }

    /**
     * Releases it, also when the thread was interrupted: that is when locks are forgotten. The interrupt stays set. False if it was
     * not held any more, or the store did not answer in time: it then ends by itself.
     */
    public boolean release(Duration within) {
        boolean interrupted = Thread.interrupted();
        CompletableFuture<Boolean> released = lease.releaseAsync().toCompletableFuture();
        long end = System.nanoTime() + within.toNanos();
        try {
            while (true) {
                try {
                    return released.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | TimeoutException e) {
                    LOG.warn(
                            "Lock {} was not released and ends by itself at {}: {}",
                            key,
                            lease.expiresAt(),
                            e.toString());
                    return false;
                }
            }
        } finally {
            afterRelease.run();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return key + " (token " + lease.token() + ")";
    }
}
