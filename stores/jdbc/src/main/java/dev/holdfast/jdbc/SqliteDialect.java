package dev.holdfast.jdbc;

import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** SQLite: a file in write-ahead mode, one writer at a time, every commit synced. */
final class SqliteDialect implements Dialect {
    /** A batch this large takes some milliseconds; larger ones would only make others wait. */
    private static final int MAX_BATCH = 512;
    /** How often waiters look for what other processes wrote: a read costs some microseconds. */
    private static final Duration SHARED_POLL = Duration.ofMillis(50);

    private static final Duration EXCLUSIVE_POLL = Duration.ofSeconds(1);

    private final SqliteConnections connections;
    private final SqliteFailures failures;
    private final SqliteBatch batch;
    private final SqliteFileLock lock;
    private final StoreTraits traits;

    SqliteDialect(
            SqliteConnections connections,
            SqliteFailures failures,
            SqliteBatch batch,
            SqliteFileLock lock,
            SqliteConfig config) {
        this.connections = connections;
        this.failures = failures;
        this.batch = batch;
        this.lock = lock;
        Duration poll = config.exclusive() ? EXCLUSIVE_POLL : SHARED_POLL;
        this.traits = StoreTraits.of("sqlite", poll)
                .withExclusive(config.exclusive())
                .withBlocking(true)
                .withMaxBatch(MAX_BATCH);
    }

    @Override
    public Session connect(Role role) throws SQLException {
        return new Session(role == Role.WRITER ? connections.writer() : connections.reader());
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        List<Write> sent = new ArrayList<>(writes);
        List<WriteResult> results = batch.write(session, sent);
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).wake() && results.get(i) instanceof WriteResult.Applied) {
                lock.tell(sent.get(i).key());
            }
        }
        return results;
    }

    /** The next number is always one more than the greatest. */
    @Override
    public void importEvents(Session session, List<StoredEvent> events) throws SQLException {
        EventRows.importAll(session, events, " on conflict (number) do nothing");
        session.commit();
    }

    @Override
    public TimeColumn times() {
        return Utc.COLUMN;
    }

    @Override
    public String label() {
        return "case when json_valid(metadata) then json_extract(metadata, '$.label') end";
    }

    @Override
    public StoreException failure(String doing, SQLException e) {
        return failures.of(doing, e);
    }

    @Override
    public boolean mayHaveCommitted(SQLException e) {
        return SqliteFailures.mayHaveCommitted(e);
    }

    /** The writer's transaction can be rolled back; of a reader nothing is known. */
    @Override
    public boolean survives(Role role, SQLException e) {
        return role == Role.WRITER;
    }

    @Override
    public StoreClock clock() {
        return batch.clock();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public String place() {
        return failures.place();
    }

    @Override
    public String remedy() {
        return failures.remedy();
    }

    @Override
    public void closed() {
        lock.release();
    }
}
