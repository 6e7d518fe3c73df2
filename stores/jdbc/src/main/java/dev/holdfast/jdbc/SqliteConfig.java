package dev.holdfast.jdbc;

import dev.holdfast.jdbc.sqlite.SqliteSettings;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to open an SQLite file. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class SqliteConfig {
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MAX_BUSY_TIMEOUT = Duration.ofMinutes(1);

    private final SqliteSettings settings;

    private SqliteConfig(boolean exclusive, String label, Duration busyTimeout, LocalTime time) {
        Timeouts.check("busy timeout", busyTimeout, MAX_BUSY_TIMEOUT);
        this.settings = new SqliteSettings(exclusive, label, busyTimeout, time);
    }

    /** Shared with other processes of this machine. */
    public static SqliteConfig shared() {
        return new SqliteConfig(false, "", BUSY_TIMEOUT, LocalTime.SYSTEM);
    }

    /** For this process alone; {@code label} is what others are told. */
    public static SqliteConfig exclusive(String label) {
        return new SqliteConfig(true, label, BUSY_TIMEOUT, LocalTime.SYSTEM);
    }

    public SqliteConfig withTime(LocalTime other) {
        return new SqliteConfig(exclusive(), label(), busyTimeout(), other);
    }

    public SqliteConfig withBusyTimeout(Duration other) {
        return new SqliteConfig(exclusive(), label(), other, time());
    }

    SqliteSettings settings() {
        return settings;
    }

    /** Only this process: for a server. Otherwise any number of processes on this machine share the file. */
    public boolean exclusive() {
        return settings.exclusive();
    }

    /** Who opens it exclusively, for the message others get: a few words such as {@code holdfast serve :8080}. */
    public String label() {
        return settings.label();
    }

    /** How long to wait for another process that writes, and when opening exclusively for one that is about to close; above zero, at most a minute. */
    public Duration busyTimeout() {
        return settings.busyTimeout();
    }

    public LocalTime time() {
        return settings.time();
    }
}
