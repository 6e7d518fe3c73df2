package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.FencedTokenRows;
import dev.holdfast.jdbc.table.TimeColumn;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.time.StoreClock;
import java.sql.SQLException;
import java.util.List;

/** What differs between databases. Everything else about a JDBC store is in {@link JdbcRecordStore}. */
public interface Dialect extends Batch {
    /** The database, for connections beyond those the store is given. */
    SqlDatabase database();

    /** Adds these events under their own numbers, those whose number is taken left out, and commits; later numbers are greater. */
    void importEvents(Session session, List<StoredEvent> events) throws SQLException;

    /** The statement that raises a row of {@code holdfast_fence}. */
    default String raiseFence() {
        return FencedTokenRows.RAISE;
    }

    /** How this database's columns keep times. */
    TimeColumn times();

    /** Whether {@code (a, b) > (?, ?)} is found by an index; else it is written out. */
    default boolean findsRowsByComparison() {
        return true;
    }

    /** The table or view with {@link EventRows#COLUMNS}. */
    default String history() {
        return "holdfast_event";
    }

    /** The label in the column {@code metadata} of an event; null if there is none. */
    String label();

    StoreClock clock();

    StoreTraits traits();

    /** All connections are closed: gives back the rest. */
    default void closed() {}
}
