package dev.holdfast.internal.rules;

import dev.holdfast.model.Cause;
import dev.holdfast.model.Done;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Note;
import dev.holdfast.model.Past;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A record being changed by one rule: the steps rules are made of. Time is judged when it is made (the expired end, the
 * dead leave the queue) and the lock is handed over when it is decided, so no rule can forget either.
 */
final class RecordEdit {
    private final LockRecord base;
    private final Moment now;
    private final DecidingEngine here;
    private List<Hold> holds;
    private List<Waiter> queue;
    private Past past;
    private Token fence;
    private Map<EngineId, Instant> alive;
    private boolean changed;
    private final List<LockEvent> events = new ArrayList<>(2);
    private Optional<Instant> notBefore = Optional.empty();
    private Optional<LeaseId> caller = Optional.empty();
    private Optional<LeaseId> subject = Optional.empty();
    private Optional<Terms> callerTerms = Optional.empty();

    RecordEdit(LockRecord base, Moment now, DecidingEngine here) {
        this.base = base;
        this.now = now;
        this.here = here;
        this.holds = base.holds();
        this.queue = base.queue();
        this.past = base.past();
        this.fence = base.fence();
        this.alive = base.alive();
        judgeTime();
    }

    /** The caller of this very command can be told its result, so it is granted on its own terms. */
    RecordEdit calling(LeaseId leaseId, Terms terms) {
        caller = Optional.of(leaseId);
        callerTerms = Optional.of(terms);
        return about(leaseId);
    }

    /** What happens to this acquisition now happens because somebody asked for it. */
    RecordEdit about(LeaseId leaseId) {
        subject = Optional.of(leaseId);
        return this;
    }

    // ---- looking

    List<Hold> holds() {
        return List.copyOf(holds);
    }

    Past past() {
        return past;
    }

    Optional<Hold> hold(LeaseId leaseId) {
        for (Hold hold : holds) {
            if (hold.leaseId().equals(leaseId)) {
                return Optional.of(hold);
            }
        }
        return Optional.empty();
    }

    Optional<Waiter> waiter(LeaseId leaseId) {
        for (Waiter waiter : queue) {
            if (waiter.leaseId().equals(leaseId)) {
                return Optional.of(waiter);
            }
        }
        return Optional.empty();
    }

    boolean hasRoomFor(Command.Acquire ask) {
        return holds.size() < LockRecord.MAX_HOLDS
                && Weight.fits(holds, queue, Weight.of(ask.leaseId(), ask.scope(), ask.owner(), ask.terms()));
    }

    boolean queueOverflows() {
        return queue.size() > LockRecord.MAX_QUEUE;
    }

    AcquireResult busy(Scope wanted, boolean full) {
        return new AcquireResult.Busy(Conflicts.inTheWay(wanted, holds), queue.size(), full);
    }

    // ---- time

    private void judgeTime() {
        for (Hold hold : base.holds()) {
            if (now.isOver(hold)) {
                if (now.judgesByClock(hold)) {
                    notBefore = Decision.later(notBefore, Optional.of(hold.expiresAt()));
                }
                end(hold);
            }
        }
        for (Waiter waiter : base.queue()) {
            if (isGone(waiter.engine())) {
                leave(waiter);
            }
        }
    }

    private void end(Hold hold) {
        remove(hold);
        switch (hold.phase()) {
            case HELD -> {
                past = past.with(hold.leaseId(), LostReason.EXPIRED, now.latest());
                // Held until its end, however much later somebody looks.
                Duration held = Duration.between(hold.grantedAt(), hold.expiresAt());
                tell(EventType.EXPIRED, hold, hold.owner(), hold.terms().reason(), held);
            }
            case OFFERED -> hold.ticket().ifPresent(this::missed);
            case LINGERING -> {} // released long ago
        }
    }

    /** An offer passed unclaimed: behind the others once, then dropped. */
    private void missed(Waiter ticket) {
        if (ticket.missed() || isGone(ticket.engine()) || queue.size() >= LockRecord.MAX_QUEUE) {
            drop(ticket);
        } else {
            append(ticket.afterMissing());
        }
    }

    private boolean isGone(EngineId engine) {
        if (engine.equals(here.engine())) {
            return false; // it asks, so it lives, even if it was paused for long
        }
        Instant until = base.alive().get(engine);
        return until == null || now.isGone(engine, until);
    }

    // ---- holds

    /**
     * Held for these terms from now on, and never for less than its holder may already believe in. An offer was believed in by
     * nobody: it becomes exactly what was asked for.
     */
    Hold keep(Hold hold, Terms asked, Duration lease) {
        Instant end = Times.end(now.latest(), lease);
        if (hold.isHeld() && promised(hold).isAfter(end)) {
            // Its length stays as well: the next renewal without one is for as long as its holder once asked for.
            return claim(hold, asked.withLease(hold.terms().lease()), promised(hold));
        }
        return claim(hold, asked.withLease(lease), end);
    }

    /** The hold as it is told: its lease counts from now. */
    Hold told(Hold hold) {
        Duration lease = lease(hold.expiresAt());
        return lease.equals(hold.terms().lease())
                ? hold // nearly always, and whoever is told keeps it for long
                : hold.claimed(hold.terms().withLease(lease), hold.renewedAt(), hold.expiresAt());
    }

    /**
     * Until when its holder may believe in it at most. An end that was written in another time base says nothing; but it was as far
     * away as it then was from its last renewal, or as its holder had asked for: a confirmation by an engine whose clock is behind
     * that of the one before is written later than it was made.
     */
    Instant promised(Hold hold) {
        if (now.judgesByClock(hold) || hold.expiresAt().equals(Times.NEVER)) {
            return hold.expiresAt();
        }
        Duration written = Duration.between(hold.renewedAt(), hold.expiresAt());
        boolean makesSense = !written.isNegative() && written.compareTo(Terms.MAX_LEASE.plusSeconds(1)) <= 0;
        Duration asked = hold.terms().lease();
        return Times.end(now.latest(), makesSense && written.compareTo(asked) > 0 ? written : asked);
    }

    /** How long it is until then, as the length of a lease. */
    private Duration lease(Instant end) {
        if (end.equals(Times.NEVER)) {
            return Times.FOREVER;
        }
        Duration left = Duration.between(now.latest(), end); // an end of a whole second may be a little further away
        return left.compareTo(Terms.MAX_LEASE) > 0 ? Terms.MAX_LEASE : left;
    }

    Hold claim(Hold hold, Terms terms, Instant end) {
        // Every confirmation has a time of its own, so that a grant can be taken back only by whom it was told last.
        Instant confirmed = Times.later(now.latest(), hold.renewedAt().plusNanos(1_000));
        Hold claimed = hold.claimed(fitting(hold.leaseId(), hold.scope(), hold.owner(), terms), confirmed, end);
        replace(hold, claimed);
        if (!hold.isHeld()) {
            tellAcquired(claimed, hold.ticket().map(Waiter::since).orElse(hold.grantedAt()));
        }
        return claimed;
    }

    /** The same hold on these terms, ending at this time if that is later. */
    Hold prolong(Hold hold, Terms terms, Instant end) {
        Hold longer = hold.claimed(terms, hold.renewedAt(), Times.later(hold.expiresAt(), end));
        replace(hold, longer);
        return longer;
    }

    /** The holder, or its engine, gives the lock back; the minimum hold of work that began may keep it busy. */
    void giveBack(Hold hold, Command.Ending.How how) {
        remove(hold);
        past = past.with(hold.leaseId(), hold.isHeld() ? LostReason.RELEASED : LostReason.ABANDONED, now.latest());
        Instant busyUntil = hold.grantedAt().plus(hold.terms().minHold());
        boolean lingers = how.worked() && hold.isHeld();
        if (lingers && !hold.terms().minHold().isZero() && busyUntil.isAfter(now.latest())) {
            mutableHolds().add(hold.lingering(busyUntil));
        }
        tell(typeOf(hold, how), hold, hold.owner(), hold.terms().reason());
    }

    private static EventType typeOf(Hold hold, Command.Ending.How how) {
        if (!hold.isHeld()) {
            return EventType.ABANDONED;
        }
        return how.lost() ? EventType.LOST : EventType.RELEASED;
    }

    void force(Hold hold, String by, String reason) {
        remove(hold);
        fence = fence.next(Times.micros(now.latest()));
        past = past.with(hold.leaseId(), LostReason.FORCED, now.latest());
        about(hold.leaseId());
        tell(EventType.FORCED, hold, by, reason);
    }

    void reportStale(Hold hold) {
        replace(hold, hold.reportedStale());
        tell(EventType.STALE, hold, hold.owner(), hold.terms().reason());
    }

    void done(Done done) {
        past = past.with(done);
        changed = true;
    }

    // ---- queue

    void append(Waiter waiter) {
        mutableQueue().add(waiter);
    }

    /** Takes the caller out again after it turned out that it neither gets the lock nor a place. */
    void takeBack(LeaseId leaseId) {
        queue.removeIf(w -> w.leaseId().equals(leaseId));
        if (queue.equals(base.queue()) && holds == base.holds() && events.isEmpty()) {
            changed = false; // nothing else happened: no write
        }
    }

    AcquireResult queued(LeaseId leaseId, Scope wanted, boolean joined) {
        int position = 1;
        for (Waiter waiter : queue) {
            if (waiter.leaseId().equals(leaseId)) {
                break;
            }
            position++;
        }
        if (joined) {
            tell(EventType.QUEUED, queue.get(position - 1));
        }
        return new AcquireResult.Queued(position, Conflicts.inTheWay(wanted, holds));
    }

    void leave(Waiter waiter) {
        mutableQueue().remove(waiter);
        drop(waiter);
    }

    private void drop(Waiter waiter) {
        past = past.with(waiter.leaseId(), LostReason.ABANDONED, now.latest());
        tell(EventType.ABANDONED, waiter);
    }

    /** Says that this engine's waiters live, when it was last said long enough ago to be worth a write. */
    void sayAlive() {
        Instant said = alive.get(here.engine());
        boolean soon = said == null || said.isBefore(now.latest().plus(Moment.SAY_ALIVE_WITHIN));
        if (soon && waitsHere()) {
            changed = true;
        }
    }

    private boolean waitsHere() {
        for (Waiter waiter : queue) {
            if (waiter.engine().equals(here.engine())) {
                return true;
            }
        }
        return false;
    }

    /** Rule 2: grants, first come first, whatever can be granted. */
    void handOver() {
        for (int i = 0; i < queue.size(); ) {
            Waiter waiter = queue.get(i);
            Optional<Hold> grant = isGrantable(waiter, i) ? grant(waiter) : Optional.empty();
            if (grant.isPresent()) {
                mutableQueue().remove(i);
                mutableHolds().add(grant.get());
            } else {
                i++;
            }
        }
    }

    private boolean isGrantable(Waiter waiter, int index) {
        return holds.size() < LockRecord.MAX_HOLDS && Conflicts.isFree(waiter.scope(), holds, queue.subList(0, index));
    }

    private Optional<Hold> grant(Waiter waiter) {
        Optional<Terms> agreed = waiter.leaseId().equals(caller.orElse(null))
                ? callerTerms
                : parking(waiter.leaseId(), waiter.engine()).map(DecidingEngine.Parking::terms);
        if (agreed.isEmpty() && waiter.claimWithin().isZero()) {
            return Optional.empty(); // it is granted only when it calls
        }
        boolean full = agreed.isPresent();
        Terms terms = full
                ? fitting(waiter.leaseId(), waiter.scope(), waiter.owner(), agreed.get())
                : new Terms(waiter.claimWithin(), Duration.ZERO, Duration.ZERO, Map.of(), "");
        fence = fence.next(Times.micros(now.latest()));
        Hold hold = new Hold(
                waiter.leaseId(),
                waiter.scope(),
                waiter.owner(),
                fence,
                now.latest(),
                now.latest(),
                Times.end(now.latest(), terms.lease()),
                terms,
                full ? Hold.Phase.HELD : Hold.Phase.OFFERED,
                full ? Optional.empty() : Optional.of(waiter),
                false);
        if (full) {
            tellAcquired(hold, waiter.since());
        }
        return Optional.of(hold);
    }

    /** A record that has grown heavy while somebody waited grants the lock, but has no room for what is told about it. */
    private Terms fitting(LeaseId leaseId, Scope scope, String owner, Terms terms) {
        return Weight.fits(holds, queue, Weight.of(leaseId, scope, owner, terms)) ? terms : terms.bare();
    }

    private Optional<DecidingEngine.Parking> parking(LeaseId leaseId, EngineId engine) {
        return engine.equals(here.engine()) ? here.parking(leaseId) : Optional.empty();
    }

    /** Why something happens to this acquisition: because it was asked for now, or by a caller who waits here. */
    private Cause cause(LeaseId leaseId, EventType type) {
        if (leaseId.equals(subject.orElse(null))) {
            return here.cause();
        }
        return type == EventType.ACQUIRED
                ? parking(leaseId, here.engine())
                        .map(DecidingEngine.Parking::cause)
                        .orElse(Cause.OWNER)
                : Cause.OWNER;
    }

    // ---- the end

    <R> Decision<R> decide(R result) {
        if (!queue.isEmpty()) {
            handOver();
        }
        if (!changed) {
            return new Decision<>(base, false, result, List.of(), Optional.empty());
        }
        LockRecord next = new LockRecord(
                base.format(), base.key(), base.stamp(), fence, holds, queue, engines(), past, base.extras());
        return new Decision<>(next, true, result, events, notBefore);
    }

    private Map<EngineId, Instant> engines() {
        if (queue.isEmpty() && holds.stream().allMatch(h -> h.ticket().isEmpty())) {
            return Map.of();
        }
        Map<EngineId, Instant> needed = new HashMap<>();
        Instant untilHere = now.latest().plus(Moment.ALIVE_FOR);
        for (Waiter waiter : queue) {
            needed.put(waiter.engine(), alive.getOrDefault(waiter.engine(), untilHere));
        }
        for (Hold hold : holds) {
            hold.ticket().ifPresent(t -> needed.put(t.engine(), alive.getOrDefault(t.engine(), untilHere)));
        }
        needed.computeIfPresent(here.engine(), (engine, until) -> Times.later(until, untilHere));
        return needed;
    }

    // ---- bookkeeping

    private List<Hold> mutableHolds() {
        changed = true;
        if (holds == base.holds()) {
            holds = new ArrayList<>(base.holds());
        }
        return holds;
    }

    private List<Waiter> mutableQueue() {
        changed = true;
        if (queue == base.queue()) {
            queue = new ArrayList<>(base.queue());
        }
        return queue;
    }

    void replace(Waiter old, Waiter next) {
        if (!old.equals(next)) {
            mutableQueue().set(queue.indexOf(old), next);
        }
    }

    private void replace(Hold old, Hold next) {
        mutableHolds().set(holds.indexOf(old), next);
    }

    private void remove(Hold hold) {
        mutableHolds().remove(hold);
    }

    private void tellAcquired(Hold hold, Instant since) {
        tell(EventType.ACQUIRED, hold, hold.owner(), hold.terms().reason(), Duration.between(since, now.latest()));
    }

    private void tell(EventType type, Hold hold, String actor, String reason) {
        tell(type, hold, actor, reason, Duration.between(hold.grantedAt(), now.latest()));
    }

    private void tell(EventType type, Hold hold, String actor, String reason, Duration lasted) {
        Cause cause = cause(hold.leaseId(), type);
        events.add(new LockEvent(
                type,
                base.key(),
                hold.scope(),
                hold.leaseId().fingerprint(),
                hold.owner(),
                hold.token(),
                now.latest(),
                lasted.isNegative() ? Duration.ZERO : lasted,
                cause.actorOr(actor),
                reason,
                hold.terms().metadata(),
                cause.request()));
    }

    void remember(Note note) {
        changed = true;
        if (fence.equals(Token.NONE)) {
            fence = fence.next(
                    Times.micros(now.latest())); // a record made for a note lives as long as one made for a lock
        }
        Cause cause = here.cause();
        events.add(new LockEvent(
                note.type(),
                base.key(),
                Scope.of(note.path(), Mode.EXCLUSIVE),
                note.lease().map(LeaseId::fingerprint).orElse(0L),
                note.owner(),
                note.token(),
                now.latest(),
                Duration.ZERO,
                cause.actorOr(note.owner()),
                note.reason(),
                note.metadata(),
                cause.request()));
    }

    private void tell(EventType type, Waiter waiter) {
        Duration lasted = Duration.between(waiter.since(), now.latest());
        Cause cause = cause(waiter.leaseId(), type);
        events.add(new LockEvent(
                type,
                base.key(),
                waiter.scope(),
                waiter.leaseId().fingerprint(),
                waiter.owner(),
                Token.NONE,
                now.latest(),
                lasted.isNegative() ? Duration.ZERO : lasted,
                cause.actorOr(waiter.owner()),
                "",
                Map.of(),
                cause.request()));
    }
}
