package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.Times;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.MeasuredClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of processes that share a file where nothing better is to be had than the machine's wall clock, never below the
 * stored time. Set back, it stands still until the wall clock has caught up; no lease expires meanwhile, none is cut short.
 *
 * <p>It is compared with the monotonic clock of this process. When they move against each other, somebody set the wall clock, or the
 * machine slept: what was written before is then no longer judged by this clock, only by having been watched. A process that
 * starts after a step cannot know of it.
 *
 * <p>While it stands still, all processes must stand at the same time: a lease counted from an earlier one would end too soon
 * for the others. A process learns the stored time when it writes, so the first write after such a step may be one that
 * was decided by an earlier time. It, and all that may have been decided before, are refused and decided again. A stored time
 * ahead of the wall clock may be a mistake that was put right since: what was written before it is then only watched too.
 */
final class WallClock implements SqliteClock {
    private static final Logger LOG = LoggerFactory.getLogger(WallClock.class);

    /** Longer than a decision waits for its write. */
    private static final Duration DECISION_AGE = Duration.ofSeconds(5);

    /** A clock behind by more than this is worth a word. */
    private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

    /** Less than this is not a clock that was set: two readings of it, one after the other. */
    private static final Duration WORTH_DOUBT = Duration.ofMillis(20);

    private final LocalTime local;
    private final String place;
    /** The stored time as last seen. Not what the wall clock showed to this process alone: others do not stand there. */
    private volatile Instant known;

    /** Both clocks the last time they were compared. */
    private Anchor compared;

    private Instant trustedSince = Instant.MIN;

    private volatile long learnedNanos;
    private volatile boolean said;

    WallClock(LocalTime local, Instant stored, String place) {
        this.local = local;
        this.place = place;
        this.known = stored;
        this.compared = Anchor.of(local);
        this.learnedNanos = local.nanos() - DECISION_AGE.toNanos();
        if (Duration.between(compared.wall(), stored).compareTo(WORTH_DOUBT) >= 0) {
            this.trustedSince = before(stored);
        }
    }

    /** What was written at that time itself is of the clock that showed it. */
    private static Instant before(Instant time) {
        return Times.ofMicros(Times.micros(time) - 1);
    }

    private Instant wall() {
        return Times.ofMicros(Times.micros(local.wall()));
    }

    @Override
    public Instant time() {
        return Times.later(wall(), known);
    }

    @Override
    public synchronized Optional<Reading> now() {
        Anchor both = Anchor.of(local);
        Instant time = Times.later(Times.ofMicros(Times.micros(both.wall())), known);
        boolean stepped = !compared.agreesWith(both);
        if (stepped) {
            trustedSince = time;
            LOG.debug("the wall clock moved against the monotonic one; what was written before is watched");
        }
        // Compared over a short time: over a long one two clocks drift apart without anybody setting them.
        if (stepped || both.nanos() - compared.nanos() > MeasuredClock.MEASURE_EVERY.toNanos()) {
            compared = both;
        }
        return Optional.of(new Reading(time, time, trustedSince));
    }

    @Override
    public Instant begin(Session session) throws SQLException {
        Instant before = known;
        Instant stored = SqliteMeta.raise(session, time());
        known = Times.later(known, stored); // one transaction at a time, so no update is lost
        Instant wall = wall();
        if (stored.isAfter(wall)) {
            if (stored.isAfter(before)) {
                learn(stored);
            }
            standStill(stored, wall);
        }
        return stored;
    }

    private synchronized void learn(Instant stored) {
        trustedSince = before(stored);
        learnedNanos = local.nanos();
    }

    private void standStill(Instant stored, Instant wall) {
        Duration behind = Duration.between(wall, stored);
        if (!said && behind.compareTo(WORTH_SAYING) > 0) {
            said = true;
            LOG.warn(
                    "The machine's clock is {} behind the time of the last write to {}. No lease expires until it has"
                            + " caught up. If the stored time is wrong, stop all processes that use the file and correct"
                            + " the row 'time' of table holdfast_meta",
                    behind,
                    place);
        }
        if (local.nanos() - learnedNanos < DECISION_AGE.toNanos()) {
            throw new StoreUnavailableException(
                    "The machine's clock is " + behind + " behind the time of the last write to " + place
                            + "; the request has to be decided again by that time",
                    null);
        }
    }
}
