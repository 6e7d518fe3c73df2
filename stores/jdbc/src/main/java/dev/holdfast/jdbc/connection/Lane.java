package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection for one purpose, used by one thread at a time. Opened when first needed, and again after a failure that it
 * may not have survived: when the cause is gone, the lane works again by itself.
 */
public final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    public interface SqlWork<T> {
        T run(Session session) throws SQLException;
    }

    private final SqlDatabase database;
    private final ConnectionRole role;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Session session;
    private boolean closed;
    private volatile long lastUsed;

    public Lane(SqlDatabase database, ConnectionRole role) {
        this.database = database;
        this.role = role;
    }

    /**
     * Does the work, or fails with a {@link dev.holdfast.spi.StoreException} that says what became of it. {@code doing}
     * completes "while ..." in its message.
     */
    public <T> T run(String doing, SqlWork<T> work) {
        take(doing);
        try {
            if (closed) {
                throw new StoreUnavailableException(
                        "The store at " + database.failures().place() + " is closed", null);
            }
            return runLocked(doing, work);
        } finally {
            lastUsed = System.nanoTime();
            lock.unlock();
        }
    }

    /** Whether nobody used it for this long. */
    public boolean isIdleFor(Duration time) {
        return System.nanoTime() - lastUsed > time.toNanos();
    }

    /** Gives the connection back until it is needed again. */
    public void rest() {
        lock.lock();
        try {
            discard();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has a connection, as far as can be told without waiting for who uses it. */
    public boolean isOpen() {
        return session != null;
    }

    /**
     * Waits for whoever uses it, but not for a database that does not answer: threads that all wait for that are missing where
     * it does.
     */
    private void take(String doing) {
        await(database, role, doing, nanos -> lock.tryLock(nanos, TimeUnit.NANOSECONDS) ? this : null);
    }

    /** Waits for something, so many nanoseconds; null if it was not to be had. */
    interface Wait<T> {
        @Nullable T within(long nanos) throws InterruptedException;
    }

    /** An interrupt does not end it: the work is short, and may be others' too. */
    static <T> T await(SqlDatabase database, ConnectionRole role, String doing, Wait<T> wait) {
        long end = System.nanoTime() + role.patience().toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    T found = wait.within(end - System.nanoTime());
                    if (found == null) {
                        throw busy(database, role, doing);
                    }
                    return found;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static StoreUnavailableException busy(SqlDatabase database, ConnectionRole role, String doing) {
        return new StoreUnavailableException(
                "The connection to " + database.failures().place() + " has been busy for "
                        + role.patience().toMillis() + " ms (while " + doing + "); "
                        + database.failures().remedy(),
                null);
    }

    private <T> T runLocked(String doing, SqlWork<T> work) {
        boolean usable = false;
        try {
            Session used = session;
            if (used == null) {
                used = database.connect(role);
                session = used;
            }
            T result = work.run(used);
            usable = true;
            return result;
        } catch (SQLException e) {
            if (session != null
                    && session.failedInCommit()
                    && database.failures().mayHaveCommitted(e)) {
                throw new OutcomeUnknownException(
                        "It is not known whether the last write to "
                                + database.failures().place() + " was made durable (" + e.getMessage()
                                + "); read again before acting on it",
                        e);
            }
            usable = session != null && database.survives(role, e) && session.recover();
            throw database.failures().of(doing, e);
        } finally {
            if (session != null && !usable) {
                discard();
            }
        }
    }

    private void discard() {
        Session old = session;
        session = null;
        if (old != null) {
            try {
                old.close();
            } catch (SQLException e) {
                LOG.debug(
                        "closing a connection to {} failed", database.failures().place(), e);
            }
        }
    }

    /** Opens the connection now, not when it is first needed. */
    public void open() {
        run("connecting", session -> true);
    }

    /** Waits for the work under way, then lets no more in. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            discard();
        } finally {
            lock.unlock();
        }
    }
}
