package dev.holdfast.engine;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.Moment;
import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.StoreClock;
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
