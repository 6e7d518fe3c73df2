package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a record others wait for: when its next hold ends, as often as the store needs polling, and when the store says
 * that it changed. One look at a time, however many reasons there are.
 */
final class WaitPoll {
    /** A hold is certainly over a little after its end. */
    private static final long JUST_AFTER = 1_000_000;
    /** An end that does not come (the store's time stands still) is looked for ever more rarely: up to a second. */
    private static final int MAX_DOUBLINGS = 10;
    /** A store that needs no polling is asked so often whether it works again. */
    private static final long BLIND_POLL = 50_000_000;
    /** Polling may add this part of the wait so far to it. */
    private static final int PATIENCE = 8;

    private final RecordKey key;
    private final EngineParts parts;
    private Machine.@Nullable Timer next;
    private long nextAt;
    private Token lastGrant = Token.NONE;
    private long grantSeen;
    /** The record of which a hold should have ended at this time, and how often it was looked for in vain since. */
    private Stamp expectedOf = Stamp.NONE;

    private long expectedAt;
    private int futile;
    private boolean looking;
    private boolean again;

    WaitPoll(RecordKey key, EngineParts parts) {
        this.key = key;
        this.parts = parts;
    }

    /** Plans the next look, now that the record is known. */
    synchronized void plan(LockRecord record) {
        long delay = Moment.ALIVE_FOR.toNanos() / 3; // often enough to say that the waiters here live
        if (!parts.traits().exclusive()) {
            delay = Math.min(delay, poll(record));
        }
        Optional<StoreClock.Reading> now = parts.store().clock().now();
        long end = now.isPresent() ? untilNextEnd(record, now.get()) : Long.MAX_VALUE;
        countFutile(record, end);
        planIn(Math.min(delay, Math.max(end, JUST_AFTER << Math.min(futile, MAX_DOUBLINGS))));
    }

    /** An end that was expected before now, and is expected once more, of a record that nobody has changed. */
    private void countFutile(LockRecord record, long end) {
        long now = parts.machine().time().nanos();
        boolean same = end != Long.MAX_VALUE && record.stamp().equals(expectedOf);
        if (same && now - expectedAt < 0) {
            return;
        }
        futile = same ? futile + 1 : 0;
        expectedOf = end == Long.MAX_VALUE ? Stamp.NONE : record.stamp();
        expectedAt = now + (end == Long.MAX_VALUE ? 0 : end);
    }

    /** The longer the same holder has it already, the less a little more matters. */
    private long poll(LockRecord record) {
        long now = parts.machine().time().nanos();
        if (!record.fence().equals(lastGrant)) {
            lastGrant = record.fence();
            grantSeen = now;
        }
        long patience = Math.max(parts.traits().pollInterval().toNanos(), (now - grantSeen) / PATIENCE);
        return Math.min(patience, parts.traits().restingPoll().toNanos());
    }

    /** Plans the next look after a failure: nothing is known of the record. */
    synchronized void planBlind() {
        planIn(Math.max(parts.traits().pollInterval().toNanos(), BLIND_POLL));
    }

    /** Nobody waits any more. */
    synchronized void rest() {
        again = false;
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    /** Reads the record and judges it again. */
    void look() {
        look(Optional.empty());
    }

    /** Judges the record again, as it was heard of or else read; if that is being done already, once more after it. */
    void look(Optional<Versioned> heard) {
        synchronized (this) {
            rest();
            if (looking) {
                again = true;
                return;
            }
            looking = true;
        }
        QueuedCommand<LockRecord> queued = new QueuedCommand<>(
                new Command.Touch(parts.config().staleAfter()), Cause.OWNER, parts.deadline(), heard);
        Stages.then(queued.future, (answer, failure) -> looked());
        parts.router().submit(key, queued, Calling.ASYNC);
    }

    private void looked() {
        boolean more;
        synchronized (this) {
            looking = false;
            more = again;
            again = false;
        }
        if (more) {
            look();
        }
    }

    private void planIn(long delay) {
        long at = parts.machine().time().nanos() + delay;
        if (next != null && nextAt - at <= 0) {
            return; // it looks soon enough, and then sees for itself
        }
        if (next != null) {
            next.cancel();
        }
        nextAt = at;
        next = parts.machine().after(Duration.ofNanos(delay), this::look);
    }

    /** What is judged by watching has no end to wait for: it is looked at as often as the store is polled. */
    private static long untilNextEnd(LockRecord record, StoreClock.Reading reading) {
        Moment now = new Moment(reading.earliest(), reading.latest(), reading.trustedSince(), Set.of(), Map.of());
        Instant first = Times.NEVER;
        for (Hold hold : record.holds()) {
            if (now.judgesByClock(hold)) {
                first = Times.earlier(first, hold.expiresAt());
            }
        }
        return first.equals(Times.NEVER)
                ? Long.MAX_VALUE
                : Math.max(0, Duration.between(reading.earliest(), first).toNanos()) + JUST_AFTER;
    }
}
