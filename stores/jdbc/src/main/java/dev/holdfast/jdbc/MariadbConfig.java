package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to use a MariaDB or MySQL database. A row that somebody else's transaction has locked is waited for a second, the
 * shortest time these servers know.
 *
 * @param connectTimeout how long to wait for a new connection when a URL was given; a {@code DataSource} has its own limit
 * @param statementTimeout after which a statement is given up; below a third of the shortest lease in use
 * @param time the machine's clocks
 */
public record MariadbConfig(Duration connectTimeout, Duration statementTimeout, LocalTime time) {
    private static final Duration MAX = Duration.ofMinutes(1);

    /** Five seconds to connect, three for a statement. */
    public static final MariadbConfig DEFAULT =
            new MariadbConfig(Duration.ofSeconds(5), Duration.ofSeconds(3), LocalTime.SYSTEM);

    /** Checks that each is between a millisecond and a minute. */
    public MariadbConfig {
        Timeouts.check("connect timeout", connectTimeout, MAX);
        Timeouts.check("statement timeout", statementTimeout, MAX);
    }

    /** The same with another patience for statements. */
    public MariadbConfig withStatementTimeout(Duration other) {
        return new MariadbConfig(connectTimeout, other, time);
    }

    /** The same with another patience for connecting. */
    public MariadbConfig withConnectTimeout(Duration other) {
        return new MariadbConfig(other, statementTimeout, time);
    }

    /** The same on other clocks. */
    public MariadbConfig withTime(LocalTime other) {
        return new MariadbConfig(connectTimeout, statementTimeout, other);
    }

    ConnectionSettings settings() {
        return new ConnectionSettings(connectTimeout, statementTimeout, Duration.ofSeconds(1), time);
    }
}
