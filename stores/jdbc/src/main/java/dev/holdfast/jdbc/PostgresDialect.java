package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** PostgreSQL: one statement per batch, the server's clock. */
final class PostgresDialect implements Dialect {
    /** Two batches under way keep the server's disk busy; more would only make them smaller. */
    static final int WRITERS = 2;
    /** A batch this large takes some milliseconds; larger ones would only make others wait. */
    private static final int MAX_BATCH = 512;
    /** How often waiters look although they are told: a hint may get lost. */
    private static final Duration LISTENING_POLL = Duration.ofSeconds(1);
    /** How often they look when they are not told. */
    private static final Duration POLL = Duration.ofMillis(100);

    private final PostgresConnections connections;
    private final PostgresFailures failures;
    private final LockedRows batch;
    private final StoreClock clock;
    private final StoreTraits traits;

    PostgresDialect(
            PostgresConnections connections,
            PostgresFailures failures,
            PostgresBatch batch,
            StoreClock clock,
            boolean listens) {
        this.connections = connections;
        this.failures = failures;
        this.batch = new LockedRows(this, batch::write, PostgresFailures::isLockTimeout);
        this.clock = clock;
        this.traits = new StoreTraits("postgresql", false, true, WRITERS, MAX_BATCH, listens ? LISTENING_POLL : POLL);
    }

    @Override
    public Session connect(Role role) throws SQLException {
        return connections.connect(role);
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        return batch.write(session, writes);
    }

    @Override
    public TimeColumn times() {
        return PostgresTime.COLUMN;
    }

    @Override
    public String history() {
        return "holdfast_history";
    }

    @Override
    public StoreException failure(String doing, SQLException e) {
        return failures.of(doing, e);
    }

    @Override
    public boolean mayHaveCommitted(SQLException e) {
        return PostgresFailures.mayHaveCommitted(e);
    }

    @Override
    public boolean survives(Role role, SQLException e) {
        return PostgresFailures.survives(e);
    }

    @Override
    public StoreClock clock() {
        return clock;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public String place() {
        return failures.place();
    }
}
