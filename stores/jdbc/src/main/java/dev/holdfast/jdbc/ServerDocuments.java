package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Documents on a database server, beside the tables of the locks and independent of them. */
abstract class ServerDocuments implements DocumentDatabase {
    /** A large content takes its time. */
    static final Duration STATEMENT_TIMEOUT = Duration.ofMinutes(1);
    /** Somebody else may be writing a large content under the same name. */
    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);
    /** Connections for each of writing and reading, under load. */
    static final int MOST = 4;

    private final Failures failures;

    ServerDocuments(Failures failures) {
        this.failures = failures;
    }

    /** A connection with the settings of the store. */
    abstract Session connected(Role role) throws SQLException;

    @Override
    public Session connect(Role role) throws SQLException {
        Session session = connected(role);
        try {
            session.connection().setAutoCommit(role != Role.DOCUMENT_WRITER);
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public StoreException failure(String doing, SQLException e) {
        return failures.of(doing, e);
    }

    @Override
    public boolean mayHaveCommitted(SQLException e) {
        return failures.mayHaveCommitted(e);
    }

    @Override
    public boolean survives(Role role, SQLException e) {
        return failures.survives(e);
    }

    @Override
    public Optional<Duration> keepsIdle() {
        return Optional.of(ServerDialect.IDLE);
    }

    @Override
    public String place() {
        return failures.place();
    }
}
