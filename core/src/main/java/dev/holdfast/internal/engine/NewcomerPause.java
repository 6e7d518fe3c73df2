package dev.holdfast.internal.engine;

import dev.holdfast.model.LockRecord;
import java.time.Duration;

/**
 * Room for newcomers at a lock that one process takes again and again. Where a write is refused unless the record is as it was read,
 * whoever wrote last is a step ahead: it writes again in the time in which a newcomer reads, and the newcomer is too late each time,
 * before it has even a place in the queue. So every few turns in a row this process lets the time of a read and a write pass.
 */
class NewcomerPause {
    /** Where nobody else writes, or a write is no trip to the store and back: one for all locks. */
    static final NewcomerPause NOT_NEEDED = new NewcomerPause() {
        @Override
        void wrote(long nanos) {}

        @Override
        void roundOver(LockRecord record, boolean foreign) {}
    };

    /** Turns in a row before others get room. More would let them wait longer; fewer would cost more than a few percent. */
    private static final int TURNS = 16;

    /** Nobody waits longer than twice this for others. */
    private static final long MAX_NANOS = 125_000_000L;

    private int turns;
    private long tookNanos;

    /** A write of ours took this long. */
    void wrote(long nanos) {
        tookNanos = Math.min(nanos, MAX_NANOS);
    }

    /** A round ended with this record; {@code foreign} if another process had written it. */
    void roundOver(LockRecord record, boolean foreign) {
        if (foreign) {
            turns = 0;
        } else if (record.holds().isEmpty()) {
            turns++;
        }
    }

    /** How long to let pass before the lock is asked for, which was last used so long ago. */
    Duration pause(long idleNanos) {
        if (turns < TURNS) {
            return Duration.ZERO;
        }
        turns = 0;
        return Duration.ofNanos(Math.max(0, 2 * tookNanos - idleNanos));
    }
}
