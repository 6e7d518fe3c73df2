package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.Times;
import dev.holdfast.spi.time.LocalTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a process that has the file for itself: from the wall time at the start, or the last stored time if that is
 * later, it runs on the monotonic clock. Nobody who sets the machine's clock moves it.
 */
final class OwnClock implements SqliteClock {
    /** Saves most batches the page with the time on it. */
    private static final Duration MAX_LAG = Duration.ofMillis(100);

    private final LocalTime local;
    private final long startNanos;
    private final long startMicros;

    OwnClock(LocalTime local, Instant stored) {
        this.local = local;
        this.startNanos = local.nanos();
        this.startMicros = Times.micros(Times.later(local.wall(), stored));
    }

    @Override
    public Instant time() {
        return Times.ofMicros(startMicros + (local.nanos() - startNanos) / 1_000);
    }

    /** A restart gives leases what was left at the stored time: up to this much more than they had. */
    @Override
    public Duration mayLag() {
        return MAX_LAG;
    }

    @Override
    public Instant begin(Session session) throws SQLException {
        return SqliteMeta.raise(session, time());
    }
}
