package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.MeasuredClock;
import dev.holdfast.spi.time.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A database server's clock, read through the store's own connection. */
public final class ServerClock {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    private static final Duration RESOLUTION = Duration.ofNanos(1_000);

    /** The time in the first column of a row. */
    public interface Column {
        Instant read(ResultSet row) throws SQLException;
    }

    private final LocalTime local;
    private final String sql;
    private final Column column;
    private final MeasuredClock measured;
    private volatile @Nullable Lanes reader;

    public ServerClock(LocalTime local, String nowSql, Column column) {
        this.local = local;
        this.sql = "select " + nowSql;
        this.column = column;
        this.measured = new MeasuredClock(local, RESOLUTION, Duration.ZERO, this::measure);
    }

    public MeasuredClock measured() {
        return measured;
    }

    /** The server said that it was this time at some moment since {@code sent}. A clock that was set is told once, in the log. */
    public synchronized void sample(Anchor sent, Instant time) {
        Optional<StoreClock.Reading> before = measured.now();
        measured.sample(sent, time);
        Optional<StoreClock.Reading> after = measured.now();
        if (before.isPresent()
                && after.isPresent()
                && !before.get().trustedSince().equals(after.get().trustedSince())) {
            LOG.warn(
                    "The clock of the database was set, or another server answers: it shows {}, and going by earlier"
                            + " answers it should be between {} and {}. Locks taken before are not taken over by the"
                            + " clock, only after they were seen unchanged for their whole lease",
                    time,
                    before.get().earliest(),
                    before.get().latest());
        }
    }

    /** From now on it is measured through this lane. */
    public void readThrough(Lanes lane) {
        reader = lane;
    }

    private CompletionStage<Void> measure() {
        Lanes lane = reader;
        if (lane == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("not open yet"));
        }
        try {
            lane.run("reading its clock", session -> {
                Anchor sent = Anchor.of(local);
                try (ResultSet row = session.prepare(sql).executeQuery()) {
                    row.next();
                    sample(sent, column.read(row));
                }
                return true;
            });
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
