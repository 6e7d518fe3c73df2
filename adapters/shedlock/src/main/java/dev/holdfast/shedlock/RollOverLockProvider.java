package dev.holdfast.shedlock;

import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Takes each lock from two providers, for the one release in which some processes still know only the old one. Whoever has only the old
 * provider, or only the new one, excludes whoever has both.
 *
 * <p>The old lock is taken first. A lock is held if both are; if the new one is busy, or fails, the old one is given back. Locks can be
 * extended if both providers can; if one of them has lost the lock, the other keeps it to its end, since the work may still be going on.
 */
public final class RollOverLockProvider implements ExtensibleLockProvider {
    private final LockProvider old;
    private final LockProvider next;

    /** A lock of this one and of that one. */
    public RollOverLockProvider(LockProvider old, LockProvider next) {
        this.old = old;
        this.next = next;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration asked) {
        Optional<SimpleLock> first = old.lock(asked);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        Optional<SimpleLock> last;
        try {
            last = next.lock(asked);
        } catch (RuntimeException e) {
            alsoUnlock(first.get(), e);
            throw e;
        }
        if (last.isEmpty()) {
            first.get().unlock();
        }
        return last.map(lock -> new BothLocks(asked, first.get(), lock));
    }

    private static void alsoUnlock(SimpleLock lock, RuntimeException failure) {
        try {
            lock.unlock();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static final class BothLocks extends AbstractSimpleLock {
        private SimpleLock first;
        private final SimpleLock last;

        BothLocks(LockConfiguration configuration, SimpleLock first, SimpleLock last) {
            super(configuration);
            this.first = first;
            this.last = last;
        }

        @Override
        protected void doUnlock() {
            try {
                last.unlock();
            } catch (RuntimeException e) {
                alsoUnlock(first, e);
                throw e;
            }
            first.unlock();
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration asked) {
            Optional<SimpleLock> longer = first.extend(asked.getLockAtMostFor(), asked.getLockAtLeastFor());
            if (longer.isEmpty()) {
                return Optional.empty();
            }
            first = longer.get(); // should the other one fail now, this is what is unlocked later
            return last.extend(asked.getLockAtMostFor(), asked.getLockAtLeastFor())
                    .map(lock -> new BothLocks(asked, longer.get(), lock));
        }
    }
}
