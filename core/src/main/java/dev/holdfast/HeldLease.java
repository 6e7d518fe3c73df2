package dev.holdfast;

import dev.holdfast.engine.leases.KeptLease;
import dev.holdfast.engine.machine.Calling;
import dev.holdfast.model.Done;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.rules.Command;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease kept by the service of this process. */
final class HeldLease implements Lease {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    /** How long a caller whose work is done waits for the store to hear of it, however long its lease is. */
    private static final Duration MAX_TELLING = Duration.ofMinutes(5);
    /** Before a store that could not be used is asked again. */
    private static final long PAUSE_NANOS = 50_000_000;

    private final LockService service;
    private final LockKey key;
    private final KeptLease kept;
    private final Optional<Done> doneBefore;
    private final AtomicBoolean released = new AtomicBoolean();

    HeldLease(LockService service, LockKey key, LockService.Grant grant, boolean renews) {
        this.service = service;
        this.key = key;
        this.kept = service.keep(key.record(), grant, renews);
        this.doneBefore = grant.done();
    }

    /** The once-only work completed before this grant. */
    Optional<Done> doneBefore() {
        return doneBefore;
    }

    @Override
    public LockKey key() {
        return key;
    }

    @Override
    public LeaseId leaseId() {
        return kept.hold().leaseId();
    }

    @Override
    public Token token() {
        return kept.hold().token();
    }

    @Override
    public Optional<Instant> expiresAt() {
        Instant end = kept.hold().expiresAt();
        return end.equals(Times.NEVER) ? Optional.empty() : Optional.of(end);
    }

    @Override
    public boolean isValid() {
        return kept.isValid();
    }

    @Override
    public void ensureValid() {
        if (!kept.isValid()) {
            throw new LeaseLostException(
                    key, kept.lostFor().orElse(released.get() ? LostReason.RELEASED : LostReason.PAUSED));
        }
    }

    @Override
    public Duration remaining() {
        return kept.remaining();
    }

    @Override
    public Optional<LostReason> lostFor() {
        return kept.lostFor();
    }

    @Override
    public void onLost(Consumer<LostReason> listener) {
        kept.onLost(listener);
    }

    @Override
    public boolean release() {
        return Failures.join(release(Command.Ending.RELEASED, Calling.BLOCKING));
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        return Failures.relayed(release(Command.Ending.RELEASED, Calling.ASYNC), held -> held, service.machine());
    }

    CompletableFuture<Boolean> release(Command.Ending ending, Calling calling) {
        boolean wasLost = kept.lostFor().isPresent();
        if (!released.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(false);
        }
        return service.release(kept, ending, calling).thenApply(lost -> lost.isEmpty() && !wasLost);
    }

    /** Releases it after work; why it was not held to the end of the work, if so. */
    Optional<LostReason> afterWork(Command.Ending ending) {
        Optional<LostReason> lost = kept.lostFor();
        boolean valid = kept.isValid();
        if (lost.isPresent() || !valid || !released.compareAndSet(false, true)) {
            return Optional.of(lost.orElse(LostReason.PAUSED));
        }
        return ending.generation().isPresent()
                ? completed(ending)
                : Failures.join(service.release(kept, ending, Calling.BLOCKING));
    }

    /**
     * Work that was done is not done again only because the store was too busy to hear of it: it is told as long as the lease lasts, within bounds.
     * The store knows whether it still does.
     */
    private Optional<LostReason> completed(Command.Ending ending) {
        long start = System.nanoTime();
        long patience = Math.min(kept.hold().terms().lease().toNanos(), MAX_TELLING.toNanos());
        while (true) {
            try {
                return Failures.join(service.release(kept, ending, Calling.BLOCKING));
            } catch (StoreUnavailableException e) { // nothing was changed
                boolean interrupted = Thread.currentThread().isInterrupted();
                if (interrupted || System.nanoTime() - start > patience) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        close(Command.Ending.RELEASED);
    }

    /** Gives it back before anything was done under it. */
    void closeUnused() {
        close(Command.Ending.UNUSED);
    }

    private void close(Command.Ending ending) {
        try {
            Failures.join(release(ending, Calling.BLOCKING));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Lock {} could not be released and ends by itself at {}: {}",
                    key,
                    kept.hold().expiresAt(),
                    e.getMessage());
        }
    }
}
