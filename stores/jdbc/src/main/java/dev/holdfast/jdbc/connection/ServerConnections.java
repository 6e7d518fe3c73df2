package dev.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to a database server, with the settings the store's statements rely on. They are set on each connection and taken
 * back when it is returned to the caller's pool. Every new connection tells which server it leads to, and that server's time.
 */
public abstract class ServerConnections implements SqlDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnections.class);

    /** Longer than the pause between two looks of somebody who watches a page, and short beside the pauses of the rest. */
    private static final Duration IDLE = Duration.ofSeconds(10);
    /** A server that does not answer at all is noticed this long after it should have given up the statement. */
    protected static final Duration GRACE = Duration.ofSeconds(1);

    protected final ConnectionSource source;
    protected final ConnectionSettings settings;
    private final ServerFailures failures;
    private final ServerClock clock;
    private @Nullable String server;

    protected ServerConnections(
            ConnectionSource source, ConnectionSettings settings, ServerFailures failures, ServerClock clock) {
        this.source = source;
        this.settings = settings;
        this.failures = failures;
        this.clock = clock;
    }

    protected interface Preparation {
        Session on(Connection connection) throws SQLException;
    }

    /** A new connection, closed again if what makes it ready fails. */
    protected Session prepared(Preparation preparation) throws SQLException {
        Connection connection = source.getConnection();
        try {
            return preparation.on(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** As it was, or not at all: whoever gets it next must not inherit our timeouts. */
    protected static void giveBack(Connection connection, Session.End restoring) throws SQLException {
        try {
            if (!connection.isClosed()) {
                restoring.close(connection);
            }
        } catch (SQLException e) {
            connection.abort(Runnable::run);
            throw e;
        } finally {
            connection.close();
        }
    }

    /** A connection as the tables are made with: no settings but commits by itself. */
    protected abstract Session plain() throws SQLException;

    /** Finds out what is between us and the server, before the first connection of a store. */
    protected void look() throws SQLException {}

    /** The first work of a store that is being opened, on a plain connection. */
    public <T> T opening(Lane.SqlWork<T> work) {
        try {
            look();
            return onPlain(work);
        } catch (SQLException e) {
            throw failures.opening(e);
        }
    }

    /** Does something to the tables, on a plain connection. {@code doing} completes "while ...". */
    public <T> T onTables(String doing, Lane.SqlWork<T> work) {
        try {
            return onPlain(work);
        } catch (SQLException e) {
            throw failures.of(doing, e);
        }
    }

    private <T> T onPlain(Lane.SqlWork<T> work) throws SQLException {
        Session plain = plain();
        try {
            return work.run(plain);
        } finally {
            plain.close();
        }
    }

    public ConnectionSource source() {
        return source;
    }

    public ServerClock clock() {
        return clock;
    }

    /** Another server, or this one after a failover, has a clock of its own. */
    protected synchronized void meet(String now) {
        if (server != null && !server.equals(now)) {
            LOG.info("A different server answers at {} now; its clock is measured again", failures.place());
            clock.measured().discard();
        }
        server = now;
    }

    @Override
    public ServerFailures failures() {
        return failures;
    }

    @Override
    public boolean survives(ConnectionRole role, SQLException e) {
        return failures.survives(e);
    }

    @Override
    public Optional<Duration> keepsIdle() {
        return Optional.of(IDLE);
    }
}
