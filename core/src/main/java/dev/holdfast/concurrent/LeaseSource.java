package dev.holdfast.concurrent;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Names;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Where views get their leases, in the four ways a {@link java.util.concurrent.locks.Lock} may be asked for.
 *
 * @param client whom to ask
 * @param lease how long each lasts without a renewal
 * @param reason why, for whoever looks
 */
record LeaseSource(LockClient client, Duration lease, String reason) {
    /** The longest wait a client takes; who says as much, or more, means for ever. */
    private static final Duration LONGEST = Duration.ofDays(7);

    /** Checks the bounds, so that a mistake is told where it was made. */
    LeaseSource {
        checked(lease);
        Names.text("reason", reason, 0);
    }

    /** A length that a lease of a program may have. */
    static Duration checked(Duration lease) {
        if (lease.compareTo(Terms.MAX_LEASE) > 0) { // also "for ever": what a program holds ends with it
            throw new IllegalArgumentException(
                    "lease '" + lease + "' must be between " + Terms.MIN_LEASE + " and " + Terms.MAX_LEASE);
        }
        return Terms.lease(lease);
    }

    static LeaseSource of(LockClient client) {
        return new LeaseSource(client, AcquireOptions.DEFAULT_LEASE, "");
    }

    LeaseSource withLease(Duration other) {
        return new LeaseSource(client, other, reason);
    }

    LeaseSource withReason(String other) {
        return new LeaseSource(client, lease, other);
    }

    // ---- taking

    Lease uninterruptibly(LockKey key, Mode mode) {
        return client.acquireUninterruptibly(key, asked(mode, AcquireOptions::waitForever));
    }

    Lease interruptibly(LockKey key, Mode mode) throws InterruptedException {
        return client.acquire(key, asked(mode, AcquireOptions::waitForever));
    }

    /** Empty if others have it. */
    Optional<Lease> now(LockKey key, Mode mode) {
        return granted(client.tryAcquireUninterruptibly(key, asked(mode, o -> {})));
    }

    /** Empty if others had it all the time. */
    Optional<Lease> within(LockKey key, Mode mode, long time, TimeUnit unit) throws InterruptedException {
        // Compared in seconds, which cannot overflow: Long.MAX_VALUE days are more than a Duration has.
        Consumer<AcquireOptions> waiting = unit.toSeconds(time) >= LONGEST.toSeconds()
                ? AcquireOptions::waitForever
                : o -> o.waitUpTo(Duration.of(Math.max(0, time), unit.toChronoUnit()));
        return granted(client.tryAcquire(key, asked(mode, waiting)));
    }

    private Consumer<AcquireOptions> asked(Mode mode, Consumer<AcquireOptions> waiting) {
        return options -> {
            options.lease(lease).reason(reason);
            switch (mode.kind()) {
                case EXCLUSIVE -> {}
                case SHARED -> options.shared();
                case PERMIT -> options.permit(mode.limit());
            }
            waiting.accept(options);
        };
    }

    private static Optional<Lease> granted(Attempt<Lease> attempt) {
        return attempt.fold(done -> Optional.of(done.value()), busy -> Optional.empty(), lost -> {
            throw new LeaseLostException(lost.key(), lost.reason());
        });
    }

    // ---- giving back

    /**
     * Gives it back.
     *
     * @throws LeaseLostException if it was not held to the end
     * @throws StoreException if the store failed, so that this is not known; it ends by itself
     */
    void release(Lease lease) {
        try {
            lease.ensureValid();
        } catch (LeaseLostException e) {
            lease.close(); // what there is left to give back; the loss is what matters
            throw e;
        }
        if (!lease.release()) {
            throw new LeaseLostException(lease.key(), lease.lostFor().orElseGet(() -> whyLost(lease)));
        }
    }

    /** Why a lease is not held that nobody here knew to be lost: the store remembers. */
    private LostReason whyLost(Lease lease) {
        try {
            Attempt<?> renewed = client.renew(lease.key(), lease.leaseId()).join();
            return renewed instanceof Attempt.Lost<?> lost ? lost.reason() : LostReason.UNKNOWN;
        } catch (CompletionException | StoreException e) {
            return LostReason.UNKNOWN; // that it is lost is certain, and told
        }
    }
}
