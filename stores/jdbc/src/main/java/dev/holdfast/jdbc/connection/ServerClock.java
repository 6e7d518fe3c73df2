package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.MeasuredClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A database server's clock, read through the store's own connection. */
public final class ServerClock {
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
                    measured.sample(sent, column.read(row));
                }
                return true;
            });
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
