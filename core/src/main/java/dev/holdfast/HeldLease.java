package dev.holdfast;

import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease kept by the service of this process. */
final class HeldLease implements Lease {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    /** How long a caller whose work is done waits for the store to hear of it, however long its lease is. */
    private static final Duration MAX_TELLING = Duration.ofMinutes(5);
    /** Before a store that could not be used is asked again. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** One for all leases: there may be a million of them. */
    private static final AtomicBoolean NOBODY_HEARS = new AtomicBoolean();

    private final LockService service;
    private final LockKey key;
    private final KeptLease kept;
    private final Optional<Done> doneBefore;
    /** When it was granted here; and how long before that, if it was asked for again. */
    private final Anchor start;

    private final Duration before;
    private final ListenerCalls listener;
    private final AtomicBoolean lossTold;
    private final long granted;
    /** Whether its user has heard, or will hear, that it was lost. */
    private volatile boolean told;
    /** Whether a transaction releases it when it is over, and not {@link #close()}. */
    private volatile boolean leftToTransaction;
    /** What is done under it is remembered. */
    private volatile boolean once;

    private volatile boolean released;

    HeldLease(LockService service, LockKey key, LockService.Grant grant, boolean renews, ListenerCalls listener) {
        this.service = service;
        this.key = key;
        this.kept = service.keep(key.record(), grant, renews);
        this.doneBefore = grant.done();
        this.start = grant.start();
        Duration earlier =
                Duration.between(grant.hold().grantedAt(), grant.hold().renewedAt());
        this.before = earlier.isNegative() ? Duration.ZERO : earlier;
        this.listener = listener;
        this.granted = listener.now();
        this.lossTold = listener.isHeard() ? new AtomicBoolean() : NOBODY_HEARS;
        kept.ownedBy(this);
        if (listener.isHeard()) {
            AtomicBoolean told = lossTold; // not this lease, which may be forgotten
            Executor context = listener.context();
            kept.measured(reason -> context.execute(() -> tellLoss(told, listener, key, reason)));
        }
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
        boolean valid = kept.isValid();
        told |= !valid;
        return valid;
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            throw new LeaseLostException(
                    key, kept.lostFor().orElse(released ? LostReason.RELEASED : LostReason.PAUSED));
        }
    }

    @Override
    public Duration remaining() {
        return kept.remaining();
    }

    @Override
    public Optional<LostReason> lostFor() {
        Optional<LostReason> lost = kept.lostFor();
        told |= lost.isPresent();
        return lost;
    }

    @Override
    public void onLost(Consumer<LostReason> user) {
        Objects.requireNonNull(user, "listener");
        told = true;
        Executor context = listener.context();
        kept.onLost(reason -> context.execute(() -> user.accept(reason)));
    }

    @Override
    public boolean release() {
        told = true;
        return Failures.join(release(Command.Ending.RELEASED, Calling.BLOCKING));
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return Failures.relayed(
                release(Command.Ending.RELEASED, Calling.ASYNC), service.machine(), listener.contexts());
    }

    @Override
    public boolean extend(Duration lease) {
        return Failures.join(service.extend(kept, AcquireOptions.checked(lease)));
    }

    /** A renewal does not change what was agreed on; asking again by the same id does, and gives nothing to anybody else. */
    @Override
    public boolean extend(Duration lease, Duration minHold) {
        Request again = again(AcquireOptions.checked(lease), minHold);
        if (!kept.isValid()) {
            return false;
        }
        Attempt<LockService.Grant> answer =
                Failures.join(service.acquire(again, Calling.ASYNC).answer());
        return answer.fold(
                this::confirmed,
                busy -> kept.confirmed(new RenewResult.Lost(LostReason.UNKNOWN), start),
                lost -> kept.confirmed(new RenewResult.Lost(lost.reason()), start));
    }

    private Request again(Duration lease, Duration minHold) {
        if (minHold.isNegative()) {
            throw new IllegalArgumentException(
                    "minimum hold '" + minHold + "' must be between 0 and " + Terms.MAX_LEASE);
        }
        Hold hold = kept.hold();
        Terms before = hold.terms();
        Duration renewEvery = before.renewEvery().isZero() ? Duration.ZERO : Terms.renewal(lease);
        Duration fromGrant = minHold.isZero() ? Duration.ZERO : heldFor().plus(minHold);
        Terms terms = new Terms(lease, renewEvery, fromGrant, before.metadata(), before.reason(), before.account());
        return new Request(
                key.record(), hold.leaseId(), hold.scope(), hold.owner(), terms, Duration.ZERO, Duration.ZERO);
    }

    /** How long ago the store granted it: never less than it was. */
    private Duration heldFor() {
        LocalTime time = service.machine().time();
        Duration byTicks = Duration.ofNanos(time.nanos() - start.nanos());
        Duration byWall = Duration.between(start.wall(), time.wall());
        Duration here =
                byTicks.compareTo(byWall) > 0 ? byTicks : byWall; // a machine that slept sees it on the wall clock only
        return here.plus(before);
    }

    /** A store that knows nothing of it any more, as a memory that was started anew, has granted the lock afresh: that is not ours. */
    private boolean confirmed(Attempt.Done<LockService.Grant> done) {
        LockService.Grant again = done.value();
        if (again.hold().token().equals(token())) {
            return kept.confirmed(new RenewResult.Renewed(again.hold()), again.start());
        }
        new HeldLease(service, key, again, false, listener).dropUnused();
        return kept.confirmed(new RenewResult.Lost(LostReason.UNKNOWN), again.start());
    }

    /** Whether it is released now: it is once. */
    private synchronized boolean ends() {
        boolean first = !released;
        released = true;
        return first;
    }

    CompletableFuture<Boolean> release(Command.Ending ending, Calling calling) {
        if (!ends()) {
            return CompletableFuture.completedFuture(false);
        }
        return end(ending, calling).thenApply(Optional::isEmpty);
    }

    /** Ends it; why it was not held until then, if so. */
    private CompletableFuture<Optional<LostReason>> end(Command.Ending ending, Calling calling) {
        Optional<LostReason> before = kept.lostFor();
        Executor context =
                listener.isHeard() ? listener.context() : Runnable::run; // the answer may come on another thread
        return service.release(kept, ending, calling).thenApply(atStore -> {
            Optional<LostReason> lost = before.or(() -> atStore);
            context.execute(() -> heard(lost));
            return lost;
        });
    }

    private Optional<LostReason> heard(Optional<LostReason> lost) {
        lost.ifPresent(reason -> tellLoss(lossTold, listener, key, reason));
        if (!lossTold.get()) {
            listener.released(key, granted);
        }
        return lost;
    }

    private static void tellLoss(AtomicBoolean told, ListenerCalls listener, LockKey key, LostReason reason) {
        if (told.compareAndSet(false, true)) {
            listener.lost(key, reason);
        }
    }

    /** Releases it after work; why it was not held to the end of the work, if so. */
    Optional<LostReason> afterWork(Command.Ending ending) {
        told = true;
        Optional<LostReason> lost = kept.lostFor();
        boolean valid = kept.isValid();
        if (leftToTransaction && valid && lost.isEmpty()) {
            return Optional.empty(); // it ends with the transaction
        }
        if (released && lost.isEmpty()) {
            return Optional.of(LostReason.RELEASED); // by the work itself
        }
        if (lost.isPresent() || !valid || !ends()) {
            LostReason reason = lost.orElse(LostReason.PAUSED);
            tellLoss(lossTold, listener, key, reason);
            return Optional.of(reason);
        }
        return ending.generation().isPresent()
                ? completed(ending)
                : heard(Failures.join(service.release(kept, ending, Calling.BLOCKING)));
    }

    /**
     * Work that was done is not done again only because the store was too busy to hear of it: it is told as long as the lease lasts, within bounds.
     * The store knows whether it still does.
     */
    private Optional<LostReason> completed(Command.Ending ending) {
        long start = service.machine().time().nanos();
        long patience = Math.min(kept.hold().terms().lease().toNanos(), MAX_TELLING.toNanos());
        while (true) {
            try {
                return heard(Failures.join(service.release(kept, ending, Calling.BLOCKING)));
            } catch (StoreUnavailableException e) { // nothing was changed
                boolean interrupted = Thread.currentThread().isInterrupted();
                if (interrupted || service.machine().time().nanos() - start > patience) {
                    throw e;
                }
                pause();
            }
        }
    }

    private void pause() {
        try {
            service.machine().pause(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // told after one more try
        }
    }

    /** The same lease, for work that is remembered as done. */
    HeldLease forOnce() {
        once = true;
        return this;
    }

    @Override
    public void releaseAfter(Transaction transaction) {
        if (once) {
            throw new IllegalStateException("Work on lock " + key
                    + " that is done only once counts as done when it returns, which would be before the"
                    + " transaction ends: begin and end the transaction within the work");
        }
        join(this, transaction, this::closeNow);
        leftToTransaction = true;
    }

    /** Makes a lease end with a transaction; if it cannot be joined, now. */
    static void join(Lease lease, Transaction transaction, Runnable release) {
        boolean joined = false;
        try {
            lease.ensureValid();
            transaction.onEnd(lease::ensureValid, release);
            joined = true;
        } finally {
            if (!joined) {
                release.run();
            }
        }
    }

    @Override
    public void close() {
        if (!leftToTransaction) {
            closeNow();
        }
    }

    void closeNow() {
        close(Command.Ending.RELEASED);
    }

    /** Gives it back before anything was done under it. */
    void closeUnused() {
        close(Command.Ending.UNUSED);
    }

    private void close(Command.Ending ending) {
        if (!ends()) {
            return;
        }
        try {
            Optional<LostReason> lost = Failures.join(end(ending, Calling.BLOCKING));
            if (lost.isPresent() && !told) {
                LOG.warn(
                        "The lease on lock {} was lost ({}) before it was closed, and nobody looked: what was done under it may have"
                                + " been done beside another holder. Call ensureValid() before each effect, or use run(...)",
                        key,
                        lost.get());
            }
        } catch (RuntimeException e) {
            notReleased(e);
        }
    }

    /** The same, not waiting for it: nobody wants it any more. */
    void dropUnused() {
        CompletionStage<Boolean> dropped = release(Command.Ending.UNUSED, Calling.ASYNC);
        dropped.whenComplete((held, failure) -> {
            if (failure != null) {
                notReleased(failure);
            }
        });
    }

    private void notReleased(Throwable failure) {
        LOG.warn(
                "Lock {} could not be released and ends by itself at {}: {}",
                key,
                kept.hold().expiresAt(),
                failure.getMessage());
    }
}
