package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import java.time.Duration;
import java.util.Optional;

/** {@code server.limits.*}: what one client, or all of them, can take from the server. */
public final class LimitSettings {
    public static final Setting<Long> BODY = Setting.of("server.limits.body", Quantities.size("1KB", "1MB"), "16KB");
    public static final Setting<Long> BATCH_BODY =
            Setting.of("server.limits.batch-body", Quantities.size("1KB", "64MB"), "4MB");
    public static final Setting<Long> URL = Setting.of("server.limits.url", Quantities.size("1KB", "64KB"), "8KB");
    public static final Setting<Long> HEADERS =
            Setting.of("server.limits.headers", Quantities.size("1KB", "256KB"), "16KB");
    public static final Setting<Integer> JSON_DEPTH =
            Setting.of("server.limits.json-depth", Quantities.integer(2, 100), "16");
    public static final Setting<Integer> CONNECTIONS =
            Setting.of("server.limits.connections", Quantities.integer(1, 1_000_000), "20000");
    public static final Setting<Optional<Integer>> CONNECTIONS_PER_ADDRESS =
            Setting.optional("server.limits.connections-per-address", Quantities.integer(1, 1_000_000));
    public static final Setting<Duration> IDLE_TIMEOUT =
            Setting.of("server.limits.idle-timeout", Quantities.duration("1s", "1h"), "75s");
    public static final Setting<Duration> REQUEST_TIMEOUT =
            Setting.of("server.limits.request-timeout", Quantities.duration("100ms", "10m"), "10s");
    public static final Setting<Integer> REQUESTS_PER_SECOND =
            Setting.of("server.limits.requests-per-second", Quantities.integer(0, 1_000_000), "2000");
    public static final Setting<Integer> BURST =
            Setting.of("server.limits.burst", Quantities.integer(1, 1_000_000), "4000");
    public static final Setting<Integer> EVENTS_CLIENTS =
            Setting.of("server.limits.events-clients", Quantities.integer(0, 100_000), "1000");
    public static final Setting<Integer> EVENTS_PER_PRINCIPAL =
            Setting.of("server.limits.events-per-principal", Quantities.integer(1, 100_000), "100");
    public static final Setting<Integer> EVENTS_BUFFER =
            Setting.of("server.limits.events-buffer", Quantities.integer(10, 100_000), "1000");
    public static final Setting<Integer> WAITERS_PER_NAMESPACE =
            Setting.of("server.limits.waiters-per-namespace", Quantities.integer(1, 1_000_000), "100000");
    public static final Setting<Integer> WAITERS_PER_PRINCIPAL =
            Setting.of("server.limits.waiters-per-principal", Quantities.integer(1, 1_000_000), "10000");
    public static final Setting<Integer> LOCKS_PER_PRINCIPAL =
            Setting.of("server.limits.locks-per-principal", Quantities.integer(1, 1_000_000), "100000");
    public static final Setting<Duration> LONG_POLL =
            Setting.of("server.limits.long-poll", Quantities.duration("1s", "60s"), "60s");
    public static final Setting<Duration> KEEP_PLACE =
            Setting.of("server.limits.keep-place", Quantities.duration("1s", "15s"), "15s");

    private LimitSettings() {}
}
