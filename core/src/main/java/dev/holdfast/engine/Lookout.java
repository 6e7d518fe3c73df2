package dev.holdfast.engine;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.Moment;
import dev.holdfast.spi.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a record others wait for: when its next hold ends, as often as the store needs polling, and when the store says
 * that it changed. One look at a time, however many reasons there are.
 */
final class Lookout {
    /** A hold is certainly over a little after its end. */
    private static final long JUST_AFTER = 1_000_000;
    /** Polling may add this part of the wait so far to it. */
    private static final int PATIENCE = 8;

    private final RecordKey key;
    private final Parts parts;
    private Machine.@Nullable Timer next;
    private long nextAt;
    private Token lastGrant = Token.NONE;
    private long grantSeen;
    private boolean looking;
    private boolean again;

    Lookout(RecordKey key, Parts parts) {
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
        if (now.isPresent()) {
            delay = Math.min(delay, untilNextEnd(record, now.get().earliest()));
        }
        planIn(delay);
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
        planIn(parts.traits().pollInterval().toNanos());
    }

    /** Nobody waits any more. */
    synchronized void rest() {
        again = false;
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    /** Judges the record again; if that is being done already, once more after it. */
    void look() {
        synchronized (this) {
            rest();
            if (looking) {
                again = true;
                return;
            }
            looking = true;
        }
        Stages.then(parts.send(key, new Command.Touch(parts.config().staleAfter())), (answer, failure) -> looked());
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

    private static long untilNextEnd(LockRecord record, Instant now) {
        Instant first = Times.NEVER;
        for (Hold hold : record.holds()) {
            first = Times.earlier(first, hold.expiresAt());
        }
        return first.equals(Times.NEVER)
                ? Long.MAX_VALUE
                : Math.max(0, Duration.between(now, first).toNanos()) + JUST_AFTER;
    }
}
