package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.ServerDialect;
import dev.holdfast.jdbc.table.TimeColumn;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreTraits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** PostgreSQL: one statement per batch. */
final class PostgresDialect extends ServerDialect {
    /** A batch this large takes some milliseconds; larger ones would only make others wait. */
    private static final int MAX_BATCH = 512;
    /** How often waiters look although they are told: a hint may get lost. */
    private static final Duration LISTENING_POLL = Duration.ofSeconds(1);
    /** How often they look when they are not told. */
    private static final Duration POLL = Duration.ofMillis(100);

    private final PostgresConnections connections;

    PostgresDialect(PostgresConnections connections, PostgresBatch batch, boolean listens) {
        super(connections, batch, traits(listens));
        this.connections = connections;
    }

    private static StoreTraits traits(boolean listens) {
        return StoreTraits.of("postgresql", listens ? LISTENING_POLL : POLL)
                .withBlocking(true)
                .withWriters(WRITERS)
                .withMaxBatch(MAX_BATCH);
    }

    /** The counter first: once it is past them, nobody else is given these numbers. */
    @Override
    public void importEvents(Session session, List<StoredEvent> events) throws SQLException {
        long last = events.get(events.size() - 1).number();
        session.first(PostgresSql.RAISE_EVENT_NUMBER, row -> true, last, last);
        PreparedStatement insert = session.prepare(PostgresSql.IMPORT_EVENT);
        insert.clearBatch();
        for (StoredEvent event : events) {
            insert.setLong(1, event.number());
            PostgresRow.set(insert, 2, PostgresRow.event(event.event()), PostgresSql.EVENT_NUMBERS);
            insert.addBatch();
        }
        insert.executeBatch();
        session.commit();
    }

    @Override
    protected boolean readsWhereItWrites() {
        return !connections.pooled(); // behind a pooler writers need a transaction, and readers must not have one
    }

    @Override
    public TimeColumn times() {
        return PostgresTime.COLUMN;
    }

    @Override
    public String label() {
        return "metadata ->> 'label'";
    }

    @Override
    public String history() {
        return "holdfast_history";
    }
}
