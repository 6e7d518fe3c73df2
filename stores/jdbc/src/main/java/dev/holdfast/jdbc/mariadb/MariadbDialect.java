package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.ServerDialect;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.FencedTokenRows;
import dev.holdfast.jdbc.table.TimeColumn;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreTraits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** MariaDB and MySQL: one transaction per batch; waiters poll, because these servers tell nobody of changes. */
final class MariadbDialect extends ServerDialect {
    /** A batch this large takes some tens of milliseconds. */
    private static final int MAX_BATCH = 256;

    private static final Duration POLL = Duration.ofMillis(100);

    MariadbDialect(MariadbConnections connections, MariadbBatch batch) {
        super(
                connections,
                batch,
                StoreTraits.of("mariadb", POLL)
                        .withBlocking(true)
                        .withWriters(WRITERS)
                        .withMaxBatch(MAX_BATCH));
    }

    /** The server raises its counter to the greatest number by itself. */
    @Override
    public void importEvents(Session session, List<StoredEvent> events) throws SQLException {
        EventRows.importAll(session, events, " on duplicate key update number = number");
        session.commit();
    }

    @Override
    public TimeColumn times() {
        return Utc.COLUMN;
    }

    @Override
    public String raiseFence() {
        return FencedTokenRows.RAISE_MARIADB;
    }

    @Override
    public String label() {
        // Not json_unquote, whose text has no letters of four bytes on MariaDB. MySQL has this since 8.0.21.
        return "case when json_valid(metadata) then json_value(metadata, '$.label') end collate utf8mb4_bin";
    }

    /** A comparison of rows is understood, but not looked up in the index: every page would begin at the first row. */
    @Override
    public boolean findsRowsByComparison() {
        return false;
    }
}
