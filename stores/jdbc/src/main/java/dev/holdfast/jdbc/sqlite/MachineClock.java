package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.Times;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.LocalTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock of processes that share a file, where the monotonic clock of the machine is the same for all of them. The file says
 * which time it was at which reading of that clock; from there everybody counts for himself and gets the same. Who sets the wall
 * clock moves nothing, also not for a process that starts after it.
 *
 * <p>The first to open the file after the machine's start makes this <em>line</em>, from the wall clock or the stored time if that
 * is later. It is only ever moved forward: to the wall clock while nobody holds or waits, and to a stored time that is ahead of it.
 * What was decided before by a process that did not know is refused, and decided again.
 *
 * <p>A move may be a mistake, by a wall clock that was wrong for a moment: what was written before the line begins is never judged by
 * it, only by having been watched.
 */
final class MachineClock implements SqliteClock {
    /** Longer than a decision waits for its write. */
    private static final Duration DECISION_AGE = Duration.ofSeconds(5);

    /** The times are for people too: when nobody is concerned, they are put right if they are off by more than this. */
    private static final Duration WORTH_MOVING = Duration.ofSeconds(1);

    private static final String CLOCK = "clock";
    /** By how many seconds the wall clock has to be corrected to show this one, for the views. */
    private static final String CORRECTION = "wall_correction";

    /** What time it was, in {@code micros}, when the monotonic clock of the machine showed {@code nanos}. */
    private record TimeLine(String machine, long nanos, long micros) {
        /** The last moment that is not counted by it. */
        Instant before() {
            return Times.ofMicros(micros - 1);
        }

        Instant at(long now) {
            return Times.ofMicros(micros + (now - nanos) / 1_000);
        }

        String text() {
            return machine + " " + nanos + " " + micros;
        }

        static Optional<TimeLine> of(String text) {
            String[] parts = text.split(" ", -1);
            try {
                return parts.length == 3
                        ? Optional.of(new TimeLine(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2])))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    private final LocalTime local;
    private final String place;
    private volatile TimeLine line;
    private volatile long learnedNanos;
    private long correction;

    private MachineClock(LocalTime local, String place, TimeLine line, long correction) {
        this.local = local;
        this.place = place;
        this.line = line;
        this.correction = correction;
        this.learnedNanos = local.nanos() - DECISION_AGE.toNanos();
    }

    /** The clock of a file whose tables are there, on a session that commits by itself. Without anything to change it only reads. */
    static MachineClock open(Session session, LocalTime local, String machine, String place) throws SQLException {
        Optional<TimeLine> there = right(session, local, machine);
        if (there.isEmpty()) {
            session.execute("begin immediate");
            there = right(session, local, machine); // another may have made it meanwhile
            if (there.isEmpty()) {
                Instant start = Times.later(local.wall(), SqliteMeta.time(session));
                TimeLine made = new TimeLine(machine, local.nanos(), Times.micros(start));
                SqliteMeta.put(session, CLOCK, made.text());
                // What was noted for an earlier line, perhaps in another run of the machine, says nothing of this one.
                long correction = seconds(Duration.between(local.wall(), start));
                if (correction == 0) {
                    SqliteMeta.remove(session, CORRECTION);
                } else {
                    SqliteMeta.put(session, CORRECTION, Long.toString(correction));
                }
                there = Optional.of(made);
            }
            session.execute("commit");
        }
        return new MachineClock(local, place, there.get(), noted(session));
    }

    private static long noted(Session session) throws SQLException {
        try {
            return Long.parseLong(SqliteMeta.get(session, CORRECTION).orElse("0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static long seconds(Duration time) {
        return Math.round(time.toMillis() / 1_000.0);
    }

    /** Who has the file alone goes by a clock of its own; who shares it afterwards must not count from before. */
    static void forget(Session session) throws SQLException {
        if (SqliteMeta.get(session, CLOCK).isPresent()) {
            SqliteMeta.remove(session, CLOCK);
            SqliteMeta.remove(session, CORRECTION);
        }
    }

    /** The line in the file, if it is to be counted from. */
    private static Optional<TimeLine> right(Session session, LocalTime local, String machine) throws SQLException {
        Instant stored = SqliteMeta.time(session);
        Optional<TimeLine> there = read(session).filter(line -> line.machine().equals(machine));
        if (there.isEmpty() || there.get().at(local.nanos()).isBefore(stored)) {
            return Optional.empty();
        }
        Duration behind = Duration.between(there.get().at(local.nanos()), local.wall());
        boolean wrong = behind.compareTo(WORTH_MOVING) > 0 && !SqliteMeta.isBusy(session);
        return wrong ? Optional.empty() : there;
    }

    private static Optional<TimeLine> read(Session session) throws SQLException {
        return SqliteMeta.get(session, CLOCK).flatMap(TimeLine::of);
    }

    @Override
    public Instant time() {
        return line.at(local.nanos());
    }

    @Override
    public Optional<Reading> now() {
        TimeLine now = line;
        Instant time = now.at(local.nanos());
        return Optional.of(new Reading(time, time, now.before()));
    }

    @Override
    public Instant begin(Session session) throws SQLException {
        TimeLine known = line;
        Instant stored = SqliteMeta.raise(session, time());
        // From here on nobody else writes.
        Optional<TimeLine> there = read(session).filter(found -> found.machine().equals(known.machine()));
        if (there.isPresent() && !there.get().equals(known)) {
            learn(there.get());
        } else if (stored.isAfter(time())) {
            TimeLine moved = new TimeLine(known.machine(), local.nanos(), Times.micros(stored));
            SqliteMeta.put(session, CLOCK, moved.text());
            session.commit(); // also for the others, though what we came to write is refused
            learn(moved);
        }
        if (local.nanos() - learnedNanos < DECISION_AGE.toNanos()) {
            throw new StoreUnavailableException(
                    "The time in " + place + " was moved forward; the request has to be decided again by that time",
                    null);
        }
        correct(session);
        return stored;
    }

    private void learn(TimeLine newer) {
        line = newer;
        learnedNanos = local.nanos();
    }

    private void correct(Session session) throws SQLException {
        long now = seconds(Duration.between(local.wall(), time()));
        if (Math.abs(now - correction) > 1) {
            SqliteMeta.put(session, CORRECTION, Long.toString(now));
            correction = now;
        }
    }
}
