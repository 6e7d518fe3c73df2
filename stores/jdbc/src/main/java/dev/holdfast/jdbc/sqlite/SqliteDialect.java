package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import dev.holdfast.jdbc.store.Dialect;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.TimeColumn;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
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
    private final SqliteBatch batch;
    private final SqliteFileLock lock;
    private final StoreTraits traits;

    SqliteDialect(SqliteConnections connections, SqliteBatch batch, SqliteFileLock lock, SqliteSettings config) {
        this.connections = connections;
        this.batch = batch;
        this.lock = lock;
        Duration poll = config.exclusive() ? EXCLUSIVE_POLL : SHARED_POLL;
        this.traits = StoreTraits.of("sqlite", poll)
                .withExclusive(config.exclusive())
                .withBlocking(true)
                .withMaxBatch(MAX_BATCH);
    }

    @Override
    public SqlDatabase database() {
        return connections;
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        List<Write> sent = new ArrayList<>(writes);
        List<WriteResult> results = batch.write(session, sent);
        for (int i = 0; i < sent.size(); i++) {
            if (!sent.get(i).wake().isNobody() && results.get(i) instanceof WriteResult.Applied) {
                lock.tell(sent.get(i));
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
    public StoreClock clock() {
        return batch.clock();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public void closed() {
        lock.release();
    }
}
