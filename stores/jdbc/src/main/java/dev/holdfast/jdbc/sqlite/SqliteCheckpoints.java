package dev.holdfast.jdbc.sqlite;

import dev.holdfast.internal.parts.DaemonThreads;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the write-ahead log into the file beside the writers, so that none of them waits for the second time its pages are written.
 * What is in the log is durable already: nothing depends on this but the length of the log, which begins anew when all of it was copied
 * before the next write. If that does not happen in time, this steps back, and SQLite lets a writer copy at the end of its commit.
 */
final class SqliteCheckpoints {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteCheckpoints.class);
    /** Bytes worth a round: fewer are left to the next one, or to SQLite, which does it when the log is long. */
    private static final long WORTH = 1 << 19;
    /** How long the end waits for a round under way. */
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final SqliteConnections connections;
    private long written;
    private boolean closed;
    private @Nullable Thread thread;

    SqliteCheckpoints(SqliteConnections connections) {
        this.connections = connections;
    }

    /** So many bytes were committed. Does not wait. */
    synchronized void written(long bytes) {
        written += bytes;
        if (written < WORTH || closed) {
            return;
        }
        if (thread == null) {
            thread = DaemonThreads.start("holdfast-sqlite-checkpoint", this::run);
        }
        notifyAll();
    }

    /** Lets the round under way end, and its connection be closed. */
    void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            notifyAll();
        }
        if (running == null) {
            return;
        }
        try {
            running.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isDue() throws InterruptedException {
        while (written < WORTH && !closed) {
            wait();
        }
        written = 0;
        return !closed;
    }

    private void run() {
        try (Copying copying = new Copying()) {
            boolean isLong = false;
            while (isDue()) {
                // Once: the commit that comes next finds nobody at it, and copies all there is.
                isLong = !isLong && copying.round();
            }
        } catch (InterruptedException e) {
            LOG.trace("stopped", e);
        }
    }

    /** The connection for it, opened when it is needed, and anew after a failure. */
    private final class Copying implements AutoCloseable {
        private @Nullable Connection connection;

        /** Whether the log is long: it was made longer faster than it was copied. */
        boolean round() {
            try {
                if (connection == null) {
                    connection = connections.copier();
                }
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("pragma wal_checkpoint(passive)")) {
                    return row.next() && row.getLong(2) >= SqliteConnections.CHECKPOINT_PAGES;
                }
            } catch (SQLException e) {
                LOG.debug(
                        "the log of {} was not copied; a writer does it",
                        connections.failures().place(),
                        e);
                close();
                return false;
            }
        }

        @Override
        public void close() {
            try {
                if (connection != null) {
                    connection.close();
                }
            } catch (SQLException e) {
                LOG.debug(
                        "closing a connection to {} failed",
                        connections.failures().place(),
                        e);
            }
            connection = null;
        }
    }
}
