package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** MariaDB and MySQL: one transaction per batch, the server's clock, waiters that poll. */
final class MariadbDialect implements Dialect {
    /** Two batches under way keep the server's disk busy; more would only make them smaller. */
    static final int WRITERS = 2;
    /** Each row is a statement of its own: a batch this large takes some tens of milliseconds. */
    private static final int MAX_BATCH = 256;
    /** These servers tell nobody of changes. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final StoreTraits TRAITS = new StoreTraits("mariadb", false, true, WRITERS, MAX_BATCH, POLL);

    private final MariadbConnections connections;
    private final MariadbFailures failures;
    private final LockedRows batch;
    private final StoreClock clock;

    MariadbDialect(MariadbConnections connections, MariadbFailures failures, MariadbBatch batch, StoreClock clock) {
        this.connections = connections;
        this.failures = failures;
        this.batch = new LockedRows(this, batch::write, MariadbFailures::isConflict);
        this.clock = clock;
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
        return Utc.COLUMN;
    }

    /** A comparison of rows is understood, but not looked up in the index: every page would begin at the first row. */
    @Override
    public boolean findsRowsByComparison() {
        return false;
    }

    @Override
    public StoreException failure(String doing, SQLException e) {
        return failures.of(doing, e);
    }

    @Override
    public boolean mayHaveCommitted(SQLException e) {
        return MariadbFailures.mayHaveCommitted(e);
    }

    @Override
    public boolean survives(Role role, SQLException e) {
        return MariadbFailures.survives(e);
    }

    @Override
    public StoreClock clock() {
        return clock;
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public String place() {
        return failures.place();
    }
}
