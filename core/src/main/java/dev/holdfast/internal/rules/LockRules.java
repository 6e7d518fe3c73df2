package dev.holdfast.internal.rules;

import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules. Each method takes the stored record, what is asked, the moment, and which engine asks; and returns what the
 * record becomes, the answer, and the events. Nothing else decides about locks, on any store.
 *
 * <ol>
 *   <li>A grant needs all conflicting live holds to be gone and no conflicting live waiter ahead: no barging.
 *   <li>After every transition no live waiter that could be granted is left waiting.
 *   <li>A token is above every earlier one of the record and not below the store's time in microseconds.
 *   <li>The same lease id is the same acquisition: it keeps its hold, its token, its place.
 *   <li>A renewal counts from now, and only before the end; it never shortens, and what expired is never revived.
 *   <li>Release and renew by anyone else change nothing: by another lease id, or by an account that did not take it.
 *   <li>A hand-over gives callers parked here the full lease; others are offered it for their claim window.
 *   <li>Force needs the token the operator saw.
 *   <li>A hold not renewed for long is reported stale, never freed for that.
 *   <li>Several paths of a record are granted together or not at all.
 *   <li>A lease id that ended is never granted again.
 *   <li>A release before the minimum hold keeps the record busy until then.
 * </ol>
 *
 * <p>{@link #reacquire} and {@link #extend} are the compatible forms of acquire and renew for clients that know neither lease
 * ids nor renewals from now; they differ from rules 5 and 11 only where their javadoc says so.
 *
 * <p>Stateless and safe for any thread. Open for extension only so that the testkit can plant bugs.
 */
public class LockRules {

    /** Rules 1 to 4, 7, 10, 11. */
    public Decision<AcquireResult> acquire(LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here).calling(ask.leaseId(), ask.terms());
        Optional<Hold> mine = draft.hold(ask.leaseId());
        if (mine.isPresent()) {
            AcquireResult again = again(draft, mine.get(), ask);
            return draft.decide(
                    again instanceof AcquireResult.Granted granted ? granted.as(draft.told(granted.hold())) : again);
        }
        Optional<LostReason> ended =
                record.past().how(ask.leaseId()).or(() -> draft.past().how(ask.leaseId()));
        if (ended.isPresent()) {
            return draft.decide(new AcquireResult.Lost(ended.get()));
        }
        return draft.decide(join(draft, ask, now, here));
    }

    /** As {@link #acquire}, but an identity that ended may hold again, and the end is the end of a second. */
    public Decision<AcquireResult> reacquire(
            LockRecord record, Command.Reacquire ask, Moment now, DecidingEngine here) {
        Command.Acquire once = ask.once();
        RecordEdit draft = new RecordEdit(record, now, here).calling(once.leaseId(), once.terms());
        Optional<Hold> before = draft.hold(once.leaseId());
        AcquireResult result = before.isPresent() ? again(draft, before.get(), once) : join(draft, once, now, here);
        if (!(result instanceof AcquireResult.Granted granted)) {
            return draft.decide(result);
        }
        Instant end = Times.endOfSecond(Times.end(now.latest(), ask.terms().lease()));
        Hold rounded = draft.prolong(granted.hold(), ask.terms(), end);
        return draft.decide(new AcquireResult.Granted(rounded, granted.done(), granted.again()));
    }

    private static AcquireResult again(RecordEdit draft, Hold mine, Command.Acquire ask) {
        if (!mine.scope().equals(ask.scope())
                || !mine.owner().equals(ask.owner())
                || !ask.terms().account().mayActFor(mine.terms().account())) {
            return new AcquireResult.Lost(LostReason.REUSED);
        }
        if (mine.phase() == Hold.Phase.LINGERING) {
            return new AcquireResult.Lost(LostReason.RELEASED);
        }
        return new AcquireResult.Granted(
                draft.keep(mine, ask.terms(), ask.terms().lease()), draft.past().done(), mine.isHeld());
    }

    private static AcquireResult join(RecordEdit draft, Command.Acquire ask, Moment now, DecidingEngine here) {
        Duration claimWithin = ask.claimWithin().orElse(Duration.ZERO);
        Optional<Waiter> waits = draft.waiter(ask.leaseId());
        if (waits.isPresent()) {
            Waiter mine = waits.get();
            if (!mine.scope().equals(ask.scope()) || !mine.owner().equals(ask.owner())) {
                return new AcquireResult.Lost(LostReason.REUSED);
            }
            // A call that does not wait leaves the place with whoever does.
            ask.claimWithin().ifPresent(within -> draft.replace(mine, mine.at(here.engine(), within)));
        } else if (!draft.hasRoomFor(ask)) {
            return draft.busy(ask.scope(), true);
        } else {
            draft.append(new Waiter(
                    ask.leaseId(), ask.scope(), ask.owner(), here.engine(), claimWithin, now.latest(), false));
        }
        draft.handOver();
        Optional<Hold> granted = draft.hold(ask.leaseId());
        if (granted.isPresent()) {
            return new AcquireResult.Granted(granted.get(), draft.past().done());
        }
        if (waits.isEmpty() && (ask.claimWithin().isEmpty() || draft.queueOverflows())) {
            draft.takeBack(ask.leaseId());
            return draft.busy(ask.scope(), ask.claimWithin().isPresent());
        }
        return draft.queued(ask.leaseId(), ask.scope(), waits.isEmpty());
    }

    /** Rules 5 and 6. */
    public Decision<RenewResult> renew(LockRecord record, Command.Renew ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        Optional<Hold> mine = draft.hold(ask.leaseId());
        if (mine.isEmpty()) {
            return draft.decide(
                    new RenewResult.Lost(draft.past().how(ask.leaseId()).orElse(LostReason.UNKNOWN)));
        }
        if (!ask.account().mayActFor(mine.get().terms().account())) {
            return draft.decide(new RenewResult.Lost(LostReason.REUSED));
        }
        if (mine.get().phase() == Hold.Phase.LINGERING) {
            return draft.decide(new RenewResult.Lost(LostReason.RELEASED));
        }
        Terms terms = mine.get().terms();
        Hold kept = draft.keep(mine.get(), terms, ask.lease().orElse(terms.lease()));
        return draft.decide(new RenewResult.Renewed(draft.told(kept)));
    }

    /** As {@link #renew}, but the time is added to what is left, as far as the longest lease from now. */
    public Decision<RenewResult> extend(LockRecord record, Command.Extend ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here).about(ask.leaseId());
        Optional<Hold> mine = draft.hold(ask.leaseId()).filter(Hold::isHeld);
        if (mine.isEmpty()) {
            return draft.decide(
                    new RenewResult.Lost(draft.past().how(ask.leaseId()).orElse(LostReason.UNKNOWN)));
        }
        Hold hold = mine.get();
        Instant furthest = Times.endOfSecond(Times.end(now.latest(), Terms.MAX_LEASE));
        Instant promised = draft.promised(hold);
        Instant asked = Times.end(promised, ask.by());
        Instant end = Times.later(promised, asked.isAfter(furthest) ? furthest : asked);
        Duration lease = hold.terms().lease().plus(ask.by());
        Terms terms = hold.terms().withLease(lease.compareTo(Terms.MAX_LEASE) > 0 ? Terms.MAX_LEASE : lease);
        return draft.decide(new RenewResult.Renewed(draft.claim(hold, terms, end)));
    }

    /** Rules 2, 6 and 12. */
    public Decision<ReleaseResult> release(LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here).about(ask.leaseId());
        Optional<Hold> mine = draft.hold(ask.leaseId());
        if (mine.isPresent() && !ask.account().mayActFor(mine.get().terms().account())) {
            return draft.decide(ReleaseResult.NOT_HELD);
        }
        if (mine.isPresent() && mine.get().phase() != Hold.Phase.LINGERING) {
            ask.ending()
                    .generation()
                    .ifPresent(generation -> draft.done(
                            new Done(generation, mine.get().owner(), mine.get().token(), now.latest())));
            draft.giveBack(mine.get(), ask.ending().how());
            return draft.decide(ReleaseResult.RELEASED);
        }
        Optional<Waiter> place = draft.waiter(ask.leaseId());
        place.ifPresent(draft::leave);
        return draft.decide(place.isPresent() ? ReleaseResult.RELEASED : ReleaseResult.NOT_HELD);
    }

    /**
     * Takes back a grant whose caller could not be told, unless another call of the same acquisition has been told of it since;
     * and the place of the caller, if it still has one here.
     */
    public Decision<ReleaseResult> giveBack(LockRecord record, Command.GiveBack ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        Optional<Hold> mine = draft.hold(ask.leaseId()).filter(Hold::isHeld).filter(ask::means);
        if (mine.isPresent()) {
            draft.giveBack(mine.get(), Command.Ending.How.UNDELIVERED);
            return draft.decide(ReleaseResult.RELEASED);
        }
        return withdraw(record, new Command.Withdraw(ask.leaseId()), now, here);
    }

    /** Rule 4: only the engine that owns a ticket may drop it. */
    public Decision<ReleaseResult> withdraw(LockRecord record, Command.Withdraw ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        Optional<Waiter> place =
                draft.waiter(ask.leaseId()).filter(w -> w.engine().equals(here.engine()));
        Optional<Hold> offer = draft.hold(ask.leaseId())
                .filter(h ->
                        h.ticket().filter(t -> t.engine().equals(here.engine())).isPresent());
        place.ifPresent(draft::leave);
        offer.ifPresent(hold -> draft.giveBack(hold, Command.Ending.How.UNDELIVERED));
        return draft.decide(place.isPresent() || offer.isPresent() ? ReleaseResult.RELEASED : ReleaseResult.NOT_HELD);
    }

    /** Rule 8. */
    public Decision<ForceResult> force(LockRecord record, Command.ForceRelease ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        for (Hold hold : draft.holds()) {
            if (hold.token().equals(ask.expected())) {
                draft.force(hold, ask.by(), ask.reason());
                return draft.decide(new ForceResult.Forced(hold));
            }
        }
        return draft.decide(new ForceResult.Changed(draft.holds()));
    }

    /** Rules 2 and 9, and the sign of life of the waiters here. */
    public Decision<LockRecord> touch(LockRecord record, Command.Touch ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        for (Hold hold : draft.holds()) {
            if (hold.isHeld() && !hold.stale() && now.earliest().isAfter(hold.staleAt(ask.staleAfter()))) {
                draft.reportStale(hold);
            }
        }
        draft.sayAlive();
        Decision<Boolean> judged = draft.decide(true);
        return new Decision<>(judged.record(), judged.changed(), judged.record(), judged.events(), judged.notBefore());
    }

    /** Changes nothing, and is written all the same: the history belongs to the record. */
    public Decision<Boolean> remember(LockRecord record, Command.Remember ask, Moment now, DecidingEngine here) {
        RecordEdit draft = new RecordEdit(record, now, here);
        draft.remember(ask.note());
        return draft.decide(true);
    }

    /** What a caller who stops waiting for {@code wanted} is told. */
    public static AcquireResult.Busy busy(LockRecord record, Scope wanted) {
        return new AcquireResult.Busy(
                Conflicts.inTheWay(wanted, record.holds()), record.queue().size(), false);
    }
}
