package dev.holdfast.internal.engine.leases;

import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.spi.time.Anchor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease this process holds, renewed by the {@link LeaseRenewals} until it is released or lost.
 *
 * <p>It believes in itself until the start of the last good attempt plus the lease minus a margin, on the monotonic and on
 * the wall clock; after that it says lost, whatever the network says. Safe for any thread.
 */
public final class KeptLease {
    private enum State {
        HELD,
        RELEASED,
        LOST
    }

    private final LeaseRenewals renewals;
    private final RecordKey key;
    private final boolean renews;

    private State state = State.HELD;
    private Hold hold;
    private Anchor start;
    private @Nullable LostReason lostFor;
    private @Nullable WeakReference<Object> owner;
    /** Somebody wants to know when it is lost, and so still relies on it. */
    private boolean heard;

    private List<Consumer<LostReason>> listeners = List.of();

    /** Somebody was told that it is not held any more, and no renewal changes that. */
    private boolean disbelieved;

    private boolean renewing;
    /** Something happened to the lock since the last renewal was sent. */
    private boolean hinted;

    volatile boolean failing;
    /** Whether its renewal is among those under way; changed by the {@link RenewalTurns}. */
    volatile boolean underWay;

    // Guarded by its shard of the DueLeases: when it is looked at next.
    long dueAt;
    /** Where it stands among those that are looked at with it. */
    int place;

    boolean listed;

    KeptLease(LeaseRenewals renewals, RecordKey key, Hold hold, Anchor start, boolean renews) {
        this.renewals = renewals;
        this.key = key;
        this.hold = hold;
        this.start = start;
        this.renews = renews;
    }

    /**
     * Names the only way to it: once that cannot be reached any more, nobody will release the lease, and it is not renewed for ever but
     * given back at its next renewal.
     */
    public synchronized void ownedBy(Object handle) {
        owner = new WeakReference<>(handle);
    }

    /** Whether nobody can reach it any more, nor would hear of its end. */
    synchronized boolean isForgotten() {
        return owner != null && owner.get() == null && !heard;
    }

    public RecordKey key() {
        return key;
    }

    /** The hold as last written by this process. */
    public synchronized Hold hold() {
        return hold;
    }

    /** Whether the lock is certainly still held. Once it is not, it never is again. */
    public synchronized boolean isValid() {
        disbelieved |= state != State.HELD || !start.within(trust(), renewals.time());
        return !disbelieved;
    }

    /** Why it is not held any more: empty while it is, and after an ordinary release. */
    public synchronized Optional<LostReason> lostFor() {
        return Optional.ofNullable(lostFor);
    }

    /** How long it can be relied on if no renewal comes; zero when not at all. */
    public synchronized Duration remaining() {
        if (!isValid()) {
            return Duration.ZERO;
        }
        if (trust().equals(Times.FOREVER)) {
            return Times.FOREVER;
        }
        Duration left = trust().minusNanos(renewals.time().nanos() - start.nanos());
        Duration byWall =
                trust().minus(Duration.between(start.wall(), renewals.time().wall()));
        Duration less = left.compareTo(byWall) < 0 ? left : byWall;
        return less.isNegative() ? Duration.ZERO : less;
    }

    /** Calls the listener exactly once if the lease is lost, also if it is already. Not after a release. */
    public void onLost(Consumer<LostReason> listener) {
        synchronized (this) {
            heard = true;
        }
        measured(listener);
    }

    /** The same for somebody who only counts. */
    public void measured(Consumer<LostReason> listener) {
        LostReason already;
        synchronized (this) {
            already = lostFor;
            if (already == null) {
                List<Consumer<LostReason>> more = new ArrayList<>(listeners);
                more.add(listener);
                listeners = more;
            }
        }
        if (already != null) {
            renewals.tell(() -> listener.accept(already));
        }
    }

    /** What the store said when it was asked for again; whether it is held on. */
    public boolean confirmed(RenewResult result, Anchor since) {
        return renewals.settle(this, new Renewer.Renewal(result, since));
    }

    // ---- for the renewals

    boolean renews() {
        return renews;
    }

    /** Nanoseconds between renewals: by the length of the lease, not by what somebody else who knows its id has written about it. */
    synchronized long renewEvery() {
        return Terms.renewal(hold.terms().lease()).toNanos();
    }

    synchronized Anchor start() {
        return start;
    }

    /** Local time at which it stops believing in itself. */
    synchronized long trustedUntil() {
        return until(hold, start);
    }

    private long until(Hold promised, Anchor since) {
        Duration trust = renewals.judgement().trust(promised.terms().lease());
        return since.nanos() + (trust.equals(Times.FOREVER) ? Long.MAX_VALUE / 2 : trust.toNanos());
    }

    private Duration trust() {
        return renewals.judgement().trust(hold.terms().lease());
    }

    synchronized void renewed(Hold next, Anchor since) {
        // A later request may have been answered before. What ends later counts: no renewal shortens a lease.
        boolean late = since.nanos() - start.nanos() < 0 && until(next, since) - trustedUntil() <= 0;
        if (state == State.HELD && !disbelieved && !late) {
            hold = next;
            start = since;
        }
    }

    synchronized boolean hasEnded() {
        return state != State.HELD;
    }

    synchronized boolean isRenewing() {
        return renewing;
    }

    /** A renewal is sent now, unless one is on its way already. */
    synchronized boolean startRenewing() {
        if (renewing) {
            return false;
        }
        renewing = true;
        hinted = false;
        return true;
    }

    synchronized void stopRenewing() {
        renewing = false;
    }

    synchronized void hint() {
        hinted = true;
    }

    /** Whether something happened that the last renewal may not have seen. */
    synchronized boolean isHinted() {
        return hinted;
    }

    /** Marks it released; false if it was lost or released before. */
    synchronized boolean releasing() {
        if (state != State.HELD) {
            return false;
        }
        state = State.RELEASED;
        return true;
    }

    /** Marks it lost; whom to tell, or empty if it had ended before. */
    synchronized Optional<List<Consumer<LostReason>>> losing(LostReason reason) {
        if (state != State.HELD) {
            return Optional.empty();
        }
        state = State.LOST;
        lostFor = reason;
        List<Consumer<LostReason>> told = listeners;
        listeners = List.of();
        return Optional.of(told);
    }
}
