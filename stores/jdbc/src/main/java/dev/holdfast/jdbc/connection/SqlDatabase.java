package dev.holdfast.jdbc.connection;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** How connections to a database are made, and what its errors mean: all that a {@link Lane} needs to know of it. */
public interface SqlDatabase {
    /** A new connection, ready for its role. */
    Session connect(ConnectionRole role) throws SQLException;

    SqlFailures failures();

    /** Whether a connection can be used on after this error. */
    boolean survives(ConnectionRole role, SQLException e);

    /**
     * How long a connection beyond those that are always needed stays open unused; empty where one costs others nothing. A server
     * has only so many for all its clients.
     */
    default Optional<Duration> keepsIdle() {
        return Optional.empty();
    }
}
