package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to use a database server.
 *
 * @param connectTimeout how long to wait for a new connection by URL
 * @param statementTimeout after which a statement is given up
 * @param lockTimeout how long to wait for a row that somebody else's transaction has locked
 * @param time the machine's clocks
 */
public record ConnectionSettings(
        Duration connectTimeout, Duration statementTimeout, Duration lockTimeout, LocalTime time) {
    /** The same for documents: a large content takes its time, and somebody else may be writing one under the same name. */
    public ConnectionSettings forDocuments() {
        return new ConnectionSettings(connectTimeout, Duration.ofMinutes(1), Duration.ofSeconds(10), time);
    }
}
