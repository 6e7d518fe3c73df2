package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.time.Duration;

/** {@code locks.*} and {@code history.*}: leases, waiting, and how long things are kept. */
public final class LockSettings {
    public static final Setting<Duration> DEFAULT_LEASE =
            Setting.of("locks.default-lease", Quantities.duration("100ms", "24h"), "30s");
    public static final Setting<Duration> MAX_LEASE =
            Setting.of("locks.max-lease", Quantities.duration("1s", "24h"), "24h");
    public static final Setting<Duration> STALE_AFTER =
            Setting.of("locks.stale-after", Quantities.duration("1s", "30d"), "2m");
    public static final Setting<Duration> RETENTION =
            Setting.of("locks.retention", Quantities.duration("1m", "3650d"), "24h");
    public static final Setting<Duration> CLEANUP_INTERVAL =
            Setting.of("locks.cleanup.interval", Quantities.duration("1s", "24h"), "10m");
    public static final Setting<Integer> MAX_WAITERS =
            Setting.of("locks.max-waiters", Quantities.integer(1, 1_000_000), "10000");
    public static final Setting<Integer> MAX_WAITERS_TOTAL =
            Setting.of("locks.max-waiters-total", Quantities.integer(1, 1_000_000), "100000");
    public static final Setting<Integer> KEYS_CACHED =
            Setting.of("locks.keys-cached", Quantities.integer(1, 10_000_000), "20000");
    public static final Setting<Duration> OPERATION_TIMEOUT =
            Setting.of("locks.operation-timeout", Quantities.duration("100ms", "5m"), "10s");
    public static final Setting<Boolean> HISTORY_ENABLED = Setting.of("history.enabled", Texts.bool(), "true");
    public static final Setting<Duration> HISTORY_RETENTION =
            Setting.of("history.retention", Quantities.duration("1m", "3650d"), "90d");

    private LockSettings() {}
}
