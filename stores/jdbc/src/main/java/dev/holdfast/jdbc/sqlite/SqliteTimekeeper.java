package dev.holdfast.jdbc.sqlite;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.spi.StoreException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the time every second while anybody holds a lock and no batch stores it anyway: what is stored is all that a
 * restart knows of how much of a lease is over.
 */
final class SqliteTimekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteTimekeeper.class);
    private static final long EVERY_MILLIS = 1_000;

    private final Lanes writers;
    private final SqliteBatch batch;
    private final String place;
    private final Thread thread = DaemonThreads.make("holdfast-sqlite-time", this::keep);
    private volatile boolean failing;

    SqliteTimekeeper(Lanes writers, SqliteBatch batch, String place) {
        this.writers = writers;
        this.batch = batch;
        this.place = place;
    }

    void start() {
        thread.start();
    }

    /** The last time is stored too: a restart then loses nothing of it. */
    void stop() {
        thread.interrupt();
        store();
    }

    private void keep() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                tick();
            }
        } catch (InterruptedException e) {
            LOG.trace("the timekeeper of {} was stopped", place);
        }
    }

    /** Stores the time if no batch did within the last second. */
    void tick() {
        Instant due = batch.stored().plusMillis(EVERY_MILLIS);
        if (!batch.clock().time().isBefore(due)) {
            store();
        }
    }

    /** Never throws: the next second tries again. */
    private void store() {
        try {
            writers.run("storing the time", session -> {
                if (SqliteMeta.raiseIfBusy(session, batch.clock().time())) {
                    session.commit();
                } else {
                    session.rollback();
                }
                return true;
            });
            failing = false;
        } catch (StoreException e) {
            if (!failing) {
                LOG.warn("The time cannot be stored in {}; tried again every second: {}", place, e.getMessage());
            }
            failing = true;
        }
    }
}
