package dev.holdfast.internal.engine.leases;

import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.spi.time.Anchor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How a {@link LeaseRenewals} reaches the place where its leases are kept. Neither method blocks. */
public interface Renewer {
    /**
     * Renews, trying until {@code deadline} on the monotonic clock. Fails with a {@link dev.holdfast.spi.StoreException}, which
     * says nothing about the lease.
     *
     * @param length another length of the lease from then on
     */
    CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline);

    /** Gives back what was lost here and may still be held there. Nobody waits for it: if it does not arrive, time does the same. */
    void giveBack(KeptLease lease);

    /**
     * An answer.
     *
     * @param result what became of the lease
     * @param start not after the moment its new length counts from
     */
    record Renewal(RenewResult result, Anchor start) {}
}
