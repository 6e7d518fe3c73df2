package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.spi.time.StoreClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The time of an SQLite store: this process tells it, and the file remembers it. Always known, never blocks. */
interface SqliteClock extends StoreClock {
    Instant time();

    /** For how long the stored time may lag behind; zero: it is stored with every batch. */
    default Duration mayLag() {
        return Duration.ZERO;
    }

    /**
     * The first act of a transaction: takes the write lock, stores the time, and returns it.
     *
     * @throws dev.holdfast.spi.StoreUnavailableException if what was decided by this clock must not be written
     */
    Instant begin(Session session) throws SQLException;

    @Override
    default Optional<Reading> now() {
        return Optional.of(Reading.exactly(time()));
    }

    @Override
    default CompletionStage<Void> measure() {
        return CompletableFuture.completedStage(null);
    }
}
