package dev.holdfast.internal.engine.leases;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.parts.LastWait;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this process, earliest deadline first. {@link DueLeases} says when to look at each of them, and
 * {@link RenewalTurns} how many renewals are under way. Renewals that are due together are submitted together, so that they can go in
 * one write or request. A lease that fails is retried within what is left of it, then lost, exactly once; it delays no other. Safe for
 * any thread.
 */
public final class LeaseRenewals {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);

    /** Between two renewals because of hints. */
    private static final long HINT_PAUSE = 50_000_000;

    /** Between two looks whether all leases are released, at the end. */
    private static final Duration DRAIN_LOOK = Duration.ofMillis(5);

    private static final Duration GIVEN_BACK_WITHIN = Duration.ofSeconds(2);

    /**
     * Renewals under way at once; the others wait their turn, those first that would be lost first. More would not be done sooner, and
     * after a pause of a process with a million leases all of them are due together.
     */
    private static final int MOST_UNDER_WAY = 65_536;

    private final Machine machine;
    private final Judgement judgement;
    private final Renewer renewer;
    private final DueLeases due;
    private final RenewalTurns turns;
    /** Leases that are renewed here and neither released nor lost. */
    private final AtomicInteger renewing = new AtomicInteger();
    /** Releases that the store has not answered yet. */
    private final AtomicInteger releasing = new AtomicInteger();

    /** Renews over this line. */
    public LeaseRenewals(Machine machine, Judgement judgement, Renewer renewer, RenewalLine line) {
        this.machine = machine;
        this.judgement = judgement;
        this.renewer = renewer;
        this.due = new DueLeases(machine, line, this::look);
        this.turns = new RenewalTurns(MOST_UNDER_WAY, this::send);
    }

    LocalTime time() {
        return machine.time();
    }

    Judgement judgement() {
        return judgement;
    }

    void tell(Runnable listener) {
        machine.tell(Machine.ThreadLane.LOSSES, listener);
    }

    /** Keeps a lease that was just granted. */
    public KeptLease keep(RecordKey key, Hold hold, Anchor start, boolean renews) {
        KeptLease lease = new KeptLease(this, key, hold, start, renews);
        renewing.addAndGet(renews ? 1 : 0);
        if (!hold.terms().lease().equals(Times.FOREVER)) {
            due.list(lease, nextLook(lease));
        }
        if (renews) {
            due.index(lease);
        }
        return lease;
    }

    /** Stops keeping a lease whose holder releases it; false if it had ended before. */
    public boolean release(KeptLease lease) {
        boolean released = lease.releasing();
        if (released && lease.renews()) {
            renewing.decrementAndGet();
        }
        end(lease);
        return released;
    }

    /** The same, and releases it at the store; {@link #drain} waits for its answer, too. */
    public <T> CompletableFuture<T> release(KeptLease lease, Supplier<CompletableFuture<T>> atStore) {
        releasing.incrementAndGet(); // before it is not renewed any more: who drains sees the one or the other
        boolean asked = false;
        try {
            release(lease);
            CompletableFuture<T> answer = atStore.get();
            asked = true;
            Stages.then(answer, (value, failure) -> releasing.decrementAndGet());
            return answer;
        } finally {
            if (!asked) {
                releasing.decrementAndGet();
            }
        }
    }

    /** How many leases are kept. */
    public int size() {
        return due.size();
    }

    /**
     * Waits until all leases that are renewed here are released, at the store too, or time is up, or the thread is interrupted; then ends those that are
     * left, and gives them back.
     *
     * @param giveBack how; waited for a little
     */
    public void drain(Duration within, Function<KeptLease, CompletableFuture<?>> giveBack) {
        long start = time().nanos();
        while ((renewing.get() > 0 || releasing.get() > 0)
                && Duration.ofNanos(time().nanos() - start).compareTo(within) < 0
                && !Thread.currentThread().isInterrupted()) {
            rest();
        }
        giveBackAll(giveBack);
    }

    private void rest() {
        try {
            machine.pause(DRAIN_LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveBackAll(Function<KeptLease, CompletableFuture<?>> giveBack) {
        List<CompletableFuture<?>> given = new ArrayList<>();
        for (KeptLease lease : due.removeAll()) {
            lose(lease, LostReason.CLOSED, false);
            if (lease.renews()) { // the others end by themselves, and may be renewed elsewhere by their id
                given.add(giveBack.apply(lease));
            }
        }
        LastWait.forAll(given, GIVEN_BACK_WITHIN)
                .ifPresent(why -> LOG.info("Some locks could not be given back at close; they end by themselves", why));
    }

    /** Ends all leases here, at the store they expire by themselves: their work may still be going on. */
    public void close() {
        due.stop();
        due.removeAll().forEach(lease -> lose(lease, LostReason.CLOSED, false));
    }

    /** The record was forced or changed by another process: its leases here are renewed at once, and so find out. */
    public void lookAt(RecordKey key) {
        due.of(key).forEach(this::hinted);
    }

    /** Hints come in bursts; what was renewed a moment ago, or is being renewed, is asked about again a little later. */
    private void hinted(KeptLease lease) {
        lease.hint();
        long at = lease.start().nanos() + HINT_PAUSE;
        if (lease.isRenewing()) {
            return; // the answer sees to it
        }
        if (time().nanos() - at > 0) {
            look(lease);
        } else {
            due.sooner(lease, at);
        }
    }

    // ---- when to look

    private long nextLook(KeptLease lease) {
        long end = lease.trustedUntil();
        if (!lease.renews()) {
            return end;
        }
        long every = lease.isHinted() ? HINT_PAUSE : lease.renewEvery();
        return Math.min(end, lease.start().nanos() + every);
    }

    private void end(KeptLease lease) {
        due.remove(lease);
        turns.end(lease);
    }

    // ---- what to do then

    private void look(KeptLease lease) {
        if (!lease.isValid()) {
            // One that nobody renews here ends at the store by itself; it may be renewed elsewhere, by its id.
            lose(lease, whyEnded(lease), lease.renews());
        } else if (lease.renews() && lease.isForgotten()) {
            forget(lease);
        } else if (lease.renews() && time().nanos() - lease.trustedUntil() < 0 && lease.startRenewing()) {
            renew(lease);
        } else {
            due.listAgain(lease, lease.trustedUntil());
        }
    }

    private void forget(KeptLease lease) {
        LOG.warn(
                "Lock {} was neither released nor closed, and nothing refers to its lease any more: it is given back."
                        + " Close leases, for example with try (Lease lease = ...)",
                lease.key());
        lose(lease, LostReason.ABANDONED, true);
    }

    private static LostReason whyEnded(KeptLease lease) {
        if (!lease.renews()) {
            return LostReason.EXPIRED;
        }
        return lease.isRenewing() || lease.failing ? LostReason.STORE_UNREACHABLE : LostReason.PAUSED;
    }

    private void renew(KeptLease lease) {
        long end = lease.trustedUntil();
        due.list(
                lease,
                end); // should the answer not come, it is lost then; the answer, on whatever thread, lists it anew
        turns.add(lease, end);
    }

    private void send(KeptLease lease) {
        try {
            long end = lease.trustedUntil(); // it may have been extended meanwhile
            Stages.then(Stages.from(() -> renewer.renew(lease, Optional.empty(), end)), (answer, failure) -> {
                turns.leave(lease); // first: what follows may renew it again
                try {
                    answered(lease, answer, failure);
                } finally {
                    turns.sendNext();
                }
            });
        } catch (Throwable e) {
            lease.stopRenewing();
            throw e;
        }
    }

    private void answered(KeptLease lease, Renewer.@Nullable Renewal answer, @Nullable Throwable failure) {
        lease.stopRenewing();
        if (failure != null) {
            failed(lease, failure);
        } else if (answer != null) {
            settle(lease, answer);
        }
    }

    /** What the answer says; whether the lease is held on. */
    boolean settle(KeptLease lease, Renewer.Renewal answer) {
        answer.result()
                .fold(
                        renewed -> {
                            if (renewed.hold().token().equals(lease.hold().token())) {
                                again(lease, renewed.hold(), answer.start());
                            } else { // what it had passed, and somebody else was granted the lock by the same id
                                lose(lease, LostReason.UNKNOWN, false);
                            }
                            return null;
                        },
                        lost -> {
                            lose(lease, lost.reason(), false);
                            return null;
                        });
        return lease.isValid();
    }

    /** Makes it last at least this long from now; false if it is not held any more. Fails if that cannot be said before the deadline. */
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length, long deadline) {
        if (!lease.isValid()) {
            return CompletableFuture.completedFuture(false);
        }
        Optional<Duration> longer = Optional.of(length)
                .filter(it -> it.compareTo(lease.hold().terms().lease()) > 0);
        return renewer.renew(lease, longer, deadline).thenApply(answer -> settle(lease, answer));
    }

    private void again(KeptLease lease, Hold hold, Anchor start) {
        lease.failing = false;
        lease.renewed(hold, start);
        if (lease.isValid()) {
            due.list(lease, nextLook(lease));
        } else {
            lose(lease, whyEnded(lease), true); // too late for its holder, who was told already
        }
    }

    private void failed(KeptLease lease, Throwable failure) {
        boolean first = !lease.failing;
        lease.failing = true;
        if (judgement().countsAsRenewed(failure)) {
            again(lease, lease.hold(), Anchor.of(time()));
        } else if (!lease.isValid()) {
            lose(lease, whyEnded(lease), true);
        } else {
            String what = "Renewing lock {} failed, trying again until the lease ends in {}: {}";
            if (first) { // an outage is said once, not with every try
                LOG.warn(what, lease.key(), lease.remaining(), failure.getMessage());
            } else {
                LOG.debug(what, lease.key(), lease.remaining(), failure.getMessage());
            }
            long left = lease.trustedUntil() - time().nanos();
            due.list(lease, time().nanos() + Math.min(left, Math.max(left / 4, DueLeases.SLICE)));
        }
    }

    /** Ends the lease here, once; gives it back at the store if it may still be held there. */
    private void lose(KeptLease lease, LostReason reason, boolean giveBack) {
        Optional<List<Consumer<LostReason>>> listeners = lease.losing(reason);
        if (listeners.isEmpty()) {
            return;
        }
        if (lease.renews()) {
            renewing.decrementAndGet();
        }
        end(lease);
        listeners.get().forEach(listener -> tell(() -> listener.accept(reason)));
        if (giveBack) {
            renewer.giveBack(lease);
        }
    }
}
