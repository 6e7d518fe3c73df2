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

    private final ConnectionSettings settings;

    private MariadbConfig(Duration connectTimeout, Duration statementTimeout, LocalTime time) {
        Timeouts.check("connect timeout", connectTimeout, MAX);
        Timeouts.check("statement timeout", statementTimeout, MAX);
        this.settings = new ConnectionSettings(connectTimeout, statementTimeout, Duration.ofSeconds(1), time);
    }

    public MariadbConfig withStatementTimeout(Duration other) {
        return new MariadbConfig(connectTimeout(), other, time());
    }

    public MariadbConfig withConnectTimeout(Duration other) {
        return new MariadbConfig(other, statementTimeout(), time());
    }

    public MariadbConfig withTime(LocalTime other) {
        return new MariadbConfig(connectTimeout(), statementTimeout(), other);
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** How long to wait for a new connection when a URL was given; a {@code DataSource} has its own limit. */
    public Duration connectTimeout() {
        return settings.connectTimeout();
    }

    /** After which a statement is given up; below a third of the shortest lease in use. */
    public Duration statementTimeout() {
        return settings.statementTimeout();
    }

    public LocalTime time() {
        return settings.time();
    }
}
