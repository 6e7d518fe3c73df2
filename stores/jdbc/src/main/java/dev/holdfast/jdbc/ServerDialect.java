package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A database server that many processes use: its clock counts, and any of them may have locked a row. */
abstract class ServerDialect implements Dialect {
    /** Two batches under way keep the server's disk busy; more would only make them smaller. */
    static final int WRITERS = 2;
    /** Longer than the pause between two looks of somebody who watches a page, and short beside the pauses of the rest. */
    static final Duration IDLE = Duration.ofSeconds(10);

    private final Failures failures;
    private final LockedRows batch;
    private final ServerClock clock;
    private final StoreTraits traits;

    ServerDialect(Failures failures, LockedRows.Batch batch, ServerClock clock, StoreTraits traits) {
        this.failures = failures;
        this.batch = new LockedRows(this, batch, failures::isLocked);
        this.clock = clock;
        this.traits = traits;
    }

    /**
     * The store, with the connection it cannot do without opened. It stays: who holds a lock must not have to ask a crowded
     * server for one before it can renew. The rest is opened when it is needed, and closed when it is not.
     */
    RecordStore open(Optional<Watchable> watchable) {
        Lanes writers = Lanes.of(this, Role.WRITER, 1, WRITERS + (readsWhereItWrites() ? 2 : 1));
        Lanes reader = readsWhereItWrites() ? writers : Lanes.of(this, Role.READER, 1, 1);
        clock.readThrough(reader);
        try {
            writers.open();
            reader.open();
        } catch (RuntimeException e) {
            writers.close();
            reader.close();
            throw e;
        }
        return watchable.isPresent()
                ? new WatchableJdbcStore(this, writers, reader, () -> {}, watchable.get())
                : new JdbcRecordStore(this, writers, reader, () -> {});
    }

    /** Whether connections of both roles are the same, so that one does for both while there is little to do. */
    boolean readsWhereItWrites() {
        return false;
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        return batch.write(session, writes);
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
    public StoreClock clock() {
        return clock.measured();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public Optional<Duration> keepsIdle() {
        return Optional.of(IDLE);
    }

    @Override
    public String place() {
        return failures.place();
    }
}
