package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/** How to use a PostgreSQL database. Changed by what begins with {@code with}; cannot be changed itself. */
public final class PostgresConfig {
    private static final Duration MAX = Duration.ofMinutes(1);

    /** Five seconds to connect, three for a statement, 100 ms for a locked row. */
    public static final PostgresConfig DEFAULT =
            new PostgresConfig(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(100), LocalTime.SYSTEM);

    private final ConnectionSettings settings;

    private PostgresConfig(Duration connectTimeout, Duration statementTimeout, Duration lockTimeout, LocalTime time) {
        Timeouts.check("connect timeout", connectTimeout, MAX);
        Timeouts.check("statement timeout", statementTimeout, MAX);
        Timeouts.check("lock timeout", lockTimeout, MAX);
        this.settings = new ConnectionSettings(connectTimeout, statementTimeout, lockTimeout, time);
    }

    public PostgresConfig withStatementTimeout(Duration other) {
        return new PostgresConfig(connectTimeout(), other, lockTimeout(), time());
    }

    public PostgresConfig withConnectTimeout(Duration other) {
        return new PostgresConfig(other, statementTimeout(), lockTimeout(), time());
    }

    public PostgresConfig withTime(LocalTime other) {
        return new PostgresConfig(connectTimeout(), statementTimeout(), lockTimeout(), other);
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** How long to wait for a new connection when a URL was given; a {@code DataSource} has its own limit. */
    public Duration connectTimeout() {
        return settings.connectTimeout();
    }

    /** After which the server gives up a statement; below a third of the shortest lease in use. */
    public Duration statementTimeout() {
        return settings.statementTimeout();
    }

    /** How long to wait for a row that somebody else's transaction has locked. */
    public Duration lockTimeout() {
        return settings.lockTimeout();
    }

    public LocalTime time() {
        return settings.time();
    }
}
