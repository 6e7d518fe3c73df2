package dev.holdfast.internal.engine.judgement;

import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine's own safety decisions, each a pure function, in one place. Everything else in the engine is plumbing.
 *
 * <p>Open for extension only so that the testkit can plant bugs.
 */
public class Judgement {
    /** Part of a lease the holder does not rely on: covers the drift of its clock against the store's, both ways. */
    private static final int MARGIN = 200;

    /** No margin is smaller: a check and the act it guards are not the same instant. */
    private static final long MIN_MARGIN = Duration.ofMillis(2).toNanos();

    /**
     * One part in so many is watched longer where no clock can be believed. Time daemons slew a clock that was wrong by up to a
     * twelfth (chrony's default), the holder's to one side and ours to the other, and what is slewed looks like any clock from inside.
     */
    private static final int OBSERVED_SLACK = 5;

    /** Which time a decision is made with. */
    public Moment moment(StoreClock.Reading reading, Set<Hold> outlived, Map<EngineId, Instant> silent) {
        return new Moment(reading.earliest(), reading.latest(), reading.trustedSince(), outlived, silent);
    }

    /** A lease counts from before the request was sent, never from its answer. */
    public Anchor leaseStart(Anchor sent, LocalTime now) {
        return sent;
    }

    /** How long after {@link #leaseStart} the holder relies on its lease. */
    public Duration trust(Duration lease) {
        if (lease.equals(Times.FOREVER)) {
            return Times.FOREVER;
        }
        long nanos = lease.toNanos();
        return Duration.ofNanos(nanos - Math.max(nanos / MARGIN, MIN_MARGIN));
    }

    /** An answer that writes nothing needs a record that was read after it was asked for, or that only we can write. */
    public boolean mayAnswer(boolean fresh, boolean exclusive) {
        return fresh || exclusive;
    }

    /** What to answer instead of a store failure: nothing. An error is not an answer. */
    public <R> Optional<R> answerTo(Command<R> command, Throwable failure) {
        return Optional.empty();
    }

    /**
     * What to tell after a command was sent, no answer came, and it was decided again on what the store had then: its own effect
     * must not be taken for somebody else's. Empty if that cannot be told apart any more.
     *
     * @param before what it would have been told had the answer come
     * @param after what it looks like now
     * @param past what the record remembers
     */
    public <R> Optional<R> settled(Command<R> command, R before, R after, Past past) {
        if (before == ReleaseResult.RELEASED && after == ReleaseResult.NOT_HELD) {
            Optional<LostReason> how = released(command).flatMap(past::how);
            boolean byItself = how.filter(h -> h == LostReason.RELEASED || h == LostReason.ABANDONED)
                    .isPresent();
            return byItself ? Optional.of(before) : how.map(other -> after);
        }
        if (before instanceof ForceResult.Forced forced && after instanceof ForceResult.Changed) {
            return past.how(forced.victim().leaseId()).map(how -> how == LostReason.FORCED ? before : after);
        }
        return Optional.of(after);
    }

    private static Optional<LeaseId> released(Command<?> command) {
        if (command instanceof Command.Release ask) {
            return Optional.of(ask.leaseId());
        } else if (command instanceof Command.GiveBack ask) {
            return Optional.of(ask.leaseId());
        }
        return command instanceof Command.Withdraw ask ? Optional.of(ask.leaseId()) : Optional.empty();
    }

    /** How long something must be seen unchanged before it counts as over: see {@link #OBSERVED_SLACK}. */
    public Duration watchFor(Duration span) {
        return span.plus(span.dividedBy(OBSERVED_SLACK));
    }

    /** Whether a renewal that ended in this failure leaves the lease as it was: until its end, then it is lost. */
    public boolean countsAsRenewed(Throwable failure) {
        return false;
    }

    /**
     * A write whose outcome is unknown must not arrive later, behind an answer that says it did not happen. Gives the record
     * to write so that it cannot; empty if it is impossible already.
     */
    public Optional<LockRecord> burn(LockRecord current, boolean stored, Precondition doubtful) {
        return doubtful.fold(
                absent -> stored ? Optional.empty() : Optional.of(current),
                stamped -> stored && current.stamp().equals(stamped.stamp()) ? Optional.of(current) : Optional.empty(),
                idle -> current.fence().compareTo(idle.token()) < 0
                        ? Optional.of(fenced(current, idle.token()))
                        : Optional.empty());
    }

    private static LockRecord fenced(LockRecord record, Token token) {
        return new LockRecord(
                record.format(),
                record.key(),
                record.stamp(),
                token,
                record.holds(),
                record.queue(),
                record.alive(),
                record.past(),
                record.extras());
    }

    /** Whether an idle record may be deleted: long unused, its token so old that the clock alone keeps the next one above. */
    public boolean mayPurge(LockRecord record, Instant earliest, Duration retention) {
        Instant lastGrant = Times.ofMicros(record.fence().value());
        return record.isIdle()
                && !record.isNewer()
                && record.past().done().isEmpty()
                && record.past().keepUntil().isBefore(earliest)
                && lastGrant.plus(retention).isBefore(earliest)
                && lastGrant.plus(Duration.ofMinutes(1)).isBefore(earliest);
    }
}
