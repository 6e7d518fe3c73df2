package dev.holdfast.server.config.settings;

import java.time.Duration;

/** {@code locks.*} and {@code history.*}: leases, waiting, and how long things are kept. */
public final class LockSettings {
    public static final Setting<Duration> DEFAULT_LEASE =
            Setting.duration("locks.default-lease", "100ms", "24h", "30s");
    public static final Setting<Duration> MAX_LEASE = Setting.duration("locks.max-lease", "1s", "24h", "24h");
    public static final Setting<Duration> STALE_AFTER = Setting.duration("locks.stale-after", "1s", "30d", "2m");
    public static final Setting<Duration> RETENTION = Setting.duration("locks.retention", "1m", "3650d", "24h");
    public static final Setting<Duration> CLEANUP_INTERVAL =
            Setting.duration("locks.cleanup.interval", "1s", "24h", "10m");
    public static final Setting<Integer> MAX_WAITERS = Setting.integer("locks.max-waiters", 1, 1_000_000, 10_000);
    public static final Setting<Integer> MAX_WAITERS_TOTAL =
            Setting.integer("locks.max-waiters-total", 1, 1_000_000, 100_000);
    public static final Setting<Integer> KEYS_CACHED = Setting.integer("locks.keys-cached", 1, 10_000_000, 20_000);
    public static final Setting<Duration> OPERATION_TIMEOUT =
            Setting.duration("locks.operation-timeout", "100ms", "5m", "10s");
    public static final Setting<Boolean> HISTORY_ENABLED = Setting.bool("history.enabled", true);
    public static final Setting<Duration> HISTORY_RETENTION =
            Setting.duration("history.retention", "1m", "3650d", "90d");

    private LockSettings() {}
}
