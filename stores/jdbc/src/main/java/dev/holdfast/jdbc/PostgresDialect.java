package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreTraits;
import java.sql.SQLException;
import java.time.Duration;

/** PostgreSQL: one statement per batch. */
final class PostgresDialect extends ServerDialect {
    /** A batch this large takes some milliseconds; larger ones would only make others wait. */
    private static final int MAX_BATCH = 512;
    /** How often waiters look although they are told: a hint may get lost. */
    private static final Duration LISTENING_POLL = Duration.ofSeconds(1);
    /** How often they look when they are not told. */
    private static final Duration POLL = Duration.ofMillis(100);

    private final PostgresConnections connections;

    PostgresDialect(
            PostgresConnections connections,
            PostgresFailures failures,
            PostgresBatch batch,
            ServerClock clock,
            boolean listens) {
        super(failures, batch::write, clock, traits(listens));
        this.connections = connections;
    }

    private static StoreTraits traits(boolean listens) {
        return new StoreTraits("postgresql", false, true, WRITERS, MAX_BATCH, listens ? LISTENING_POLL : POLL);
    }

    @Override
    public Session connect(Role role) throws SQLException {
        return connections.connect(role);
    }

    @Override
    boolean readsWhereItWrites() {
        return !connections.pooled(); // behind a pooler writers need a transaction, and readers must not have one
    }

    @Override
    public TimeColumn times() {
        return PostgresTime.COLUMN;
    }

    @Override
    public String history() {
        return "holdfast_history";
    }
}
