package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** How connections to a database are made, and what its errors mean: all that a {@link Lane} needs to know of it. */
interface Database {
    /** What a connection is for. */
    enum Role {
        /** Batches of writes, and forgetting events. */
        WRITER(Duration.ofSeconds(1)),
        /** Single records, each by itself. */
        READER(Duration.ofSeconds(1)),
        /** Many records or events at a time. */
        LISTER(Duration.ofSeconds(30)),
        /** Transactions that change documents, which may be large. */
        DOCUMENT_WRITER(Duration.ofMinutes(1)),
        /** Single queries for documents. */
        DOCUMENT_READER(Duration.ofMinutes(1));

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

    /** What to say of an error after which nothing was changed. {@code doing} completes "while ...". */
    StoreException failure(String doing, SQLException e);

    /** Whether a commit that failed so may nevertheless have happened, now or after the next crash. */
    boolean mayHaveCommitted(SQLException e);

    /** Whether a connection can be used on after this error. */
    boolean survives(Role role, SQLException e);

    /**
     * How long a connection beyond those that are always needed stays open unused; empty where one costs others nothing. A server
     * has only so many for all its clients.
     */
    default Optional<Duration> keepsIdle() {
        return Optional.empty();
    }

    /** Where the data is, for messages; without secrets. */
    String place();

    /** What to look at if a connection stays busy, for messages. */
    default String remedy() {
        return "check that the server runs, and the network";
    }
}
