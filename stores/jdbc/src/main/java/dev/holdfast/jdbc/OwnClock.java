package dev.holdfast.jdbc;

import dev.holdfast.model.Times;
import dev.holdfast.spi.LocalTime;
import java.sql.SQLException;
import java.time.Instant;

/**
 * The clock of a process that has the file for itself: from the wall time at the start, or the last stored time if that is
 * later, it runs on the monotonic clock. Nobody who sets the machine's clock moves it.
 */
final class OwnClock implements SqliteClock {
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

    @Override
    public Instant begin(Session session) throws SQLException {
        return SqliteMeta.raise(session, time());
    }
}
