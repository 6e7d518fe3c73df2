package dev.holdfast.jdbc.connection;

import java.time.Duration;

public enum ConnectionRole {
    /** Batches of writes, and forgetting events. */
    WRITER(Duration.ofSeconds(1)),
    /** Single records, each by itself. */
    READER(Duration.ofSeconds(1)),
    /** Many records or events at a time. */
    LISTER(Duration.ofSeconds(30)),
    /** Transactions that change documents, which may be large. */
    DOCUMENT_WRITER(Duration.ofMinutes(1)),
    /** Single queries for documents. There are several, so who waits this long waits for a server that does not answer. */
    DOCUMENT_READER(Duration.ofSeconds(6));

    private final Duration patience;

    ConnectionRole(Duration patience) {
        this.patience = patience;
    }

    /** How long others wait for the connection: longer than any work on it, unless that is stuck. */
    public Duration patience() {
        return patience;
    }
}
