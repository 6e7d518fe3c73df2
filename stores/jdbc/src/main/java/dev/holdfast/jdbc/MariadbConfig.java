package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to use a MariaDB or MySQL database. A row that somebody else's transaction has locked is waited for a second, the
 * shortest time these servers know. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class MariadbConfig {
    private static final Duration MAX = Duration.ofMinutes(1);

    /** Five seconds to connect, three for a statement. */
    public static final MariadbConfig DEFAULT =
            new MariadbConfig(Duration.ofSeconds(5), Duration.ofSeconds(3), LocalTime.SYSTEM);

    private final Duration connectTimeout;
    private final Duration statementTimeout;
    private final LocalTime time;

    private MariadbConfig(Duration connectTimeout, Duration statementTimeout, LocalTime time) {
        Timeouts.check("connect timeout", connectTimeout, MAX);
        Timeouts.check("statement timeout", statementTimeout, MAX);
        this.connectTimeout = connectTimeout;
        this.statementTimeout = statementTimeout;
        this.time = time;
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

    /** How long to wait for a new connection when a URL was given; a {@code DataSource} has its own limit. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** After which a statement is given up; below a third of the shortest lease in use. */
    public Duration statementTimeout() {
        return statementTimeout;
    }

    /** The machine's clocks. */
    public LocalTime time() {
        return time;
    }
}
