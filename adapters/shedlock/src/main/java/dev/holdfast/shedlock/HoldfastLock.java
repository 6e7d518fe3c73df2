package dev.holdfast.shedlock;

import dev.holdfast.Lease;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lock that ShedLock holds. When it is extended, the lease passes to a new one; this one is then refused by its superclass. */
final class HoldfastLock extends AbstractSimpleLock {
    private static final Logger LOG = LoggerFactory.getLogger(HoldfastLockProvider.class);

    private final Lease lease;
    /** On the clock of {@link System#nanoTime()}, not after the moment it was granted or extended. */
    private final long since;

    HoldfastLock(LockConfiguration configuration, Lease lease, long since) {
        super(configuration);
        this.lease = lease;
        this.since = since;
    }

    @Override
    protected void doUnlock() {
        boolean held = told(lease.key(), "released", () -> awaited(lease.releaseAsync()));
        if (!held) {
            LOG.warn(
                    "Lock {} was not held any more when it was unlocked ({}): the work took longer than lockAtMostFor ({}), or the lock was"
                            + " ended by force. Another may have worked at the same time. Set a longer lockAtMostFor, or extend the lock",
                    lease.key(),
                    lease.lostFor().map(Enum::name).orElse("it had ended at the store"),
                    lockConfiguration.getLockAtMostFor());
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration asked) {
        long now = System.nanoTime();
        // A lease is not shorter than 100 ms, what was asked for may be.
        boolean over = now - since >= lockConfiguration.getLockAtMostFor().toNanos();
        boolean extended = !over
                && told(
                        lease.key(),
                        "extended",
                        () -> lease.extend(HoldfastLockProvider.lease(asked), asked.getLockAtLeastFor()));
        return extended ? Optional.of(new HoldfastLock(asked, lease, now)) : Optional.empty();
    }

    /** Waits also if the thread is interrupted, as those of a scheduler that is shut down are: the lock must be free for others. */
    private static <T> T awaited(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** A failure as ShedLock knows it. */
    static <T> T told(LockKey key, String done, Supplier<T> call) {
        try {
            return call.get();
        } catch (HoldfastException e) {
            throw new LockException("Lock " + key + " could not be " + done + ": " + e.getMessage(), e);
        }
    }
}
