package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to use a PostgreSQL database.
 *
 * @param connectTimeout how long to wait for a new connection when a URL was given; a {@code DataSource} has its own limit
 * @param statementTimeout after which the server gives up a statement; below a third of the shortest lease in use
 * @param lockTimeout how long to wait for a row that somebody else's transaction has locked
 * @param time the machine's clocks
 */
public record PostgresConfig(Duration connectTimeout, Duration statementTimeout, Duration lockTimeout, LocalTime time) {
    private static final Duration MAX = Duration.ofMinutes(1);

    /** Five seconds to connect, three for a statement, 100 ms for a locked row. */
    public static final PostgresConfig DEFAULT =
            new PostgresConfig(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(100), LocalTime.SYSTEM);

    /** Checks that each is between a millisecond and a minute. */
    public PostgresConfig {
        Timeouts.check("connect timeout", connectTimeout, MAX);
        Timeouts.check("statement timeout", statementTimeout, MAX);
        Timeouts.check("lock timeout", lockTimeout, MAX);
    }

    /** The same with another patience for statements. */
    public PostgresConfig withStatementTimeout(Duration other) {
        return new PostgresConfig(connectTimeout, other, lockTimeout, time);
    }

    /** The same with another patience for connecting. */
    public PostgresConfig withConnectTimeout(Duration other) {
        return new PostgresConfig(other, statementTimeout, lockTimeout, time);
    }

    /** The same on other clocks. */
    public PostgresConfig withTime(LocalTime other) {
        return new PostgresConfig(connectTimeout, statementTimeout, lockTimeout, other);
    }

    ConnectionSettings settings() {
        return new ConnectionSettings(connectTimeout, statementTimeout, lockTimeout, time);
    }
}
