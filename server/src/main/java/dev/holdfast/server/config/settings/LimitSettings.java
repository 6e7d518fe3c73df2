package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import java.time.Duration;
import java.util.Optional;

/** {@code server.limits.*}: what one client, or all of them, can take from the server. */
public final class LimitSettings {
    public static final Setting<Long> BODY = Setting.size("server.limits.body", "1KB", "1MB", "16KB");
    public static final Setting<Long> BATCH_BODY = Setting.size("server.limits.batch-body", "1KB", "64MB", "4MB");
    public static final Setting<Long> URL = Setting.size("server.limits.url", "1KB", "64KB", "8KB");
    public static final Setting<Long> HEADERS = Setting.size("server.limits.headers", "1KB", "256KB", "16KB");
    public static final Setting<Integer> JSON_DEPTH = Setting.integer("server.limits.json-depth", 2, 100, 16);
    public static final Setting<Integer> CONNECTIONS =
            Setting.integer("server.limits.connections", 1, 1_000_000, 20_000);
    public static final Setting<Optional<Integer>> CONNECTIONS_PER_ADDRESS =
            Setting.optional("server.limits.connections-per-address", Quantities.integer(1, 1_000_000));
    public static final Setting<Duration> IDLE_TIMEOUT =
            Setting.duration("server.limits.idle-timeout", "1s", "1h", "75s");
    public static final Setting<Duration> REQUEST_TIMEOUT =
            Setting.duration("server.limits.request-timeout", "100ms", "10m", "10s");
    public static final Setting<Integer> REQUESTS_PER_SECOND =
            Setting.integer("server.limits.requests-per-second", 0, 1_000_000, 2_000);
    public static final Setting<Integer> BURST = Setting.integer("server.limits.burst", 1, 1_000_000, 4_000);
    public static final Setting<Integer> EVENTS_CLIENTS =
            Setting.integer("server.limits.events-clients", 0, 100_000, 1_000);
    public static final Setting<Integer> EVENTS_PER_PRINCIPAL =
            Setting.integer("server.limits.events-per-principal", 1, 100_000, 100);
    public static final Setting<Integer> EVENTS_BUFFER =
            Setting.integer("server.limits.events-buffer", 10, 100_000, 1_000);
    public static final Setting<Integer> WAITERS_PER_NAMESPACE =
            Setting.integer("server.limits.waiters-per-namespace", 1, 1_000_000, 100_000);
    public static final Setting<Integer> WAITERS_PER_PRINCIPAL =
            Setting.integer("server.limits.waiters-per-principal", 1, 1_000_000, 10_000);
    public static final Setting<Integer> LOCKS_PER_PRINCIPAL =
            Setting.integer("server.limits.locks-per-principal", 1, 1_000_000, 100_000);
    public static final Setting<Duration> LONG_POLL = Setting.duration("server.limits.long-poll", "1s", "60s", "60s");
    public static final Setting<Duration> KEEP_PLACE = Setting.duration("server.limits.keep-place", "1s", "15s", "15s");

    private LimitSettings() {}
}
