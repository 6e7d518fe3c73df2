package dev.holdfast.internal.rules;

import dev.holdfast.model.Account;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Note;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something asked of one record. Every command but {@link Extend} and {@link Remember} is idempotent by its lease id or token: applying it twice
 * has the effect of applying it once.
 *
 * @param <R> the family of its results
 */
public sealed interface Command<R> {
    /** Applies the rule of this command. */
    Decision<R> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here);

    /**
     * Take the lock, or with {@code claimWithin} present, queue for it.
     *
     * @param leaseId names the acquisition; the same id again is the same acquisition
     * @param scope what is wanted
     * @param owner label of the caller
     * @param terms what is asked besides
     * @param claimWithin present: wait in the queue if it is not free; how long a grant by another engine is kept
     */
    record Acquire(LeaseId leaseId, Scope scope, String owner, Terms terms, Optional<Duration> claimWithin)
            implements Command<AcquireResult> {
        @Override
        public Decision<AcquireResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.acquire(record, this, now, here);
        }
    }

    /**
     * Take the lock without waiting, by an identity that outlives its leases, as clients of lock services with instance ids
     * do: it may be taken again after it ended. Its end is the end of a second.
     *
     * @param leaseId the identity
     * @param owner label of the caller
     * @param terms what is asked besides
     */
    record Reacquire(LeaseId leaseId, String owner, Terms terms) implements Command<AcquireResult> {
        @Override
        public Decision<AcquireResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.reacquire(record, this, now, here);
        }

        Acquire once() {
            return new Acquire(leaseId, Scope.WHOLE, owner, terms, Optional.empty());
        }
    }

    /**
     * Move the end of the lock further away, up to the longest lease from now.
     *
     * @param leaseId the acquisition
     * @param by how much later it shall end
     */
    record Extend(LeaseId leaseId, Duration by) implements Command<RenewResult> {
        @Override
        public Decision<RenewResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.extend(record, this, now, here);
        }
    }

    /**
     * Keep the lock for another lease from now.
     *
     * @param leaseId the acquisition
     * @param lease another length than before, if given
     * @param account who asks; {@link Account#NONE} where that is not to be checked
     */
    record Renew(LeaseId leaseId, Optional<Duration> lease, Account account) implements Command<RenewResult> {
        /** Whoever asks. */
        public Renew(LeaseId leaseId, Optional<Duration> lease) {
            this(leaseId, lease, Account.NONE);
        }

        @Override
        public Decision<RenewResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.renew(record, this, now, here);
        }
    }

    /**
     * Give back a hold, or leave the queue.
     *
     * @param leaseId the acquisition
     * @param ending why; decides which event is recorded
     * @param account who asks; {@link Account#NONE} where that is not to be checked
     */
    record Release(LeaseId leaseId, Ending ending, Account account) implements Command<ReleaseResult> {
        /** Whoever asks. */
        public Release(LeaseId leaseId, Ending ending) {
            this(leaseId, ending, Account.NONE);
        }

        @Override
        public Decision<ReleaseResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.release(record, this, now, here);
        }
    }

    /**
     * Take back a grant that nobody will use, because its caller could not be told.
     *
     * @param leaseId the acquisition
     * @param confirmed when the grant was confirmed, by each of the writes that may have made it: confirmed at another time means
     *     that somebody was told of it
     */
    record GiveBack(LeaseId leaseId, List<Instant> confirmed) implements Command<ReleaseResult> {
        /** This very grant. */
        public static GiveBack of(Hold hold) {
            return new GiveBack(hold.leaseId(), List.of(hold.renewedAt()));
        }

        boolean means(Hold hold) {
            return confirmed.contains(hold.renewedAt());
        }

        @Override
        public Decision<ReleaseResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.giveBack(record, this, now, here);
        }
    }

    /**
     * Give up a place in the queue, or an offer made to it, on behalf of a caller who went away; does nothing when the
     * ticket has moved to another engine meanwhile.
     *
     * @param leaseId the acquisition
     */
    record Withdraw(LeaseId leaseId) implements Command<ReleaseResult> {
        @Override
        public Decision<ReleaseResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.withdraw(record, this, now, here);
        }
    }

    /**
     * End somebody else's hold.
     *
     * @param expected the token the operator saw: if another holds by now, nothing happens
     * @param by who
     * @param reason why
     */
    record ForceRelease(Token expected, String by, String reason) implements Command<ForceResult> {
        @Override
        public Decision<ForceResult> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.force(record, this, now, here);
        }
    }

    /**
     * Judge time again: end what has expired, drop the dead, hand over, report what looks stale, and say that the waiters
     * of this engine live.
     *
     * @param staleAfter see {@link dev.holdfast.model.Hold#staleAt}
     */
    record Touch(Duration staleAfter) implements Command<LockRecord> {
        @Override
        public Decision<LockRecord> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.touch(record, this, now, here);
        }
    }

    /**
     * Write something into the history of the lock that does not change it. The only command that, applied twice after a lost
     * answer, is told twice.
     *
     * @param note what to remember
     */
    record Remember(Note note) implements Command<Boolean> {
        @Override
        public Decision<Boolean> applyTo(LockRules rules, LockRecord record, Moment now, DecidingEngine here) {
            return rules.remember(record, this, now, here);
        }
    }

    /**
     * Why a hold is given back.
     *
     * @param how decides which event is recorded, and whether the minimum hold binds
     * @param generation the once-only work that was completed under it
     */
    record Ending(How how, Optional<String> generation) {
        /** An ordinary release. */
        public static final Ending RELEASED = new Ending(How.RELEASED, Optional.empty());
        /** Nothing was done under it. */
        public static final Ending UNUSED = new Ending(How.UNUSED, Optional.empty());
        /** Given up by its engine. */
        public static final Ending LOST = new Ending(How.LOST, Optional.empty());

        /** A release that records completed once-only work. */
        public static Ending done(String generation) {
            return new Ending(How.RELEASED, Optional.of(generation));
        }

        /** The ways a hold is given back. */
        public enum How {
            /** Its holder is done. */
            RELEASED,
            /** Its holder needs it no more and did nothing under it. */
            UNUSED,
            /** Its engine gave it up after it could not renew it. */
            LOST,
            /** Its caller could not be told of it. */
            UNDELIVERED;

            /** Whether it ended without its holder's wish. */
            boolean lost() {
                return this == LOST || this == UNDELIVERED;
            }

            /** Whether something may have been done under it: a minimum hold keeps others from doing it again too soon. */
            boolean worked() {
                return this == RELEASED || this == LOST;
            }
        }
    }
}
