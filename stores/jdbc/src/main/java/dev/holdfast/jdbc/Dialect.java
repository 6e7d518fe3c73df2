package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What differs between databases. Everything else about a JDBC store is in {@link JdbcRecordStore}. */
interface Dialect {
    /** What a connection is for. */
    enum Role {
        /** Batches of writes, and forgetting events. */
        WRITER(Duration.ofSeconds(1)),
        /** Single records, each by itself. */
        READER(Duration.ofSeconds(1)),
        /** Many records or events at a time. */
        LISTER(Duration.ofSeconds(30));

        /** Longer than any work there but one that is stuck: so long others wait for the connection. */
        private final Duration patience;

        Role(Duration patience) {
            this.patience = patience;
        }

        Duration patience() {
            return patience;
        }
    }

    /** A new connection, ready for its role. */
    Session connect(Role role) throws SQLException;

    /** Writes a batch as {@link dev.holdfast.spi.RecordStore#write} promises, and commits it. */
    List<WriteResult> write(Session session, List<Write> writes) throws SQLException;

    /** Told of every batch that was answered, when no connection is in use: for those who watch, if the database does not tell. */
    default void written(List<Write> writes, List<WriteResult> results) {}

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

    /** What to say of an error after which nothing was changed. {@code doing} completes "while ...". */
    StoreException failure(String doing, SQLException e);

    /** Whether a commit that failed so may nevertheless have happened, now or after the next crash. */
    boolean mayHaveCommitted(SQLException e);

    /** Whether a connection can be used on after this error. */
    boolean survives(Role role, SQLException e);

    /** The store's time. */
    StoreClock clock();

    /** What the engine needs to know. */
    StoreTraits traits();

    /** Where the data is, for messages; without secrets. */
    String place();

    /** All connections are closed: gives back the rest. */
    default void closed() {}
}
