package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import java.time.Duration;
import java.util.Optional;

/** {@code server.limits.*}: what one client, or all of them, can take from the server. */
public final class LimitSettings {
    public static final Setting<Long> BODY = Setting.of(
            "server.limits.body", Quantities.size("1KB", "1MB"), "16KB", "Largest body of a request; above it 413.");

    public static final Setting<Long> BATCH_BODY = Setting.of(
            "server.limits.batch-body",
            Quantities.size("1KB", "64MB"),
            "4MB",
            "Largest body of a request with many leases (`/v2/locks/renew`, `/v2/locks/release`).");

    public static final Setting<Long> URL = Setting.of(
            "server.limits.url", Quantities.size("1KB", "64KB"), "8KB", "Longest path and query; above it 414.");

    public static final Setting<Long> HEADERS = Setting.of(
            "server.limits.headers",
            Quantities.size("1KB", "256KB"),
            "16KB",
            "All headers of a request together; above it 431.");

    public static final Setting<Integer> JSON_DEPTH = Setting.of(
            "server.limits.json-depth", Quantities.integer(2, 100), "16", "How deep JSON may be nested; above it 400.");

    public static final Setting<Integer> CONNECTIONS = Setting.of(
            "server.limits.connections",
            Quantities.integer(1, 1_000_000),
            "20000",
            "Open connections; further ones are closed at once.");

    public static final Setting<Optional<Integer>> CONNECTIONS_PER_ADDRESS = Setting.optional(
            "server.limits.connections-per-address",
            Quantities.integer(1, 1_000_000),
            "Open connections from one address (IPv6: from one /64); empty is half of `connections`. This machine and"
                    + " `server.trusted-proxies` are not limited.");

    public static final Setting<Duration> IDLE_TIMEOUT = Setting.of(
            "server.limits.idle-timeout",
            Quantities.duration("1s", "1h"),
            "75s",
            "A connection on which nothing happens is closed after this; must be longer than `long-poll`.");

    public static final Setting<Duration> REQUEST_TIMEOUT = Setting.of(
            "server.limits.request-timeout",
            Quantities.duration("100ms", "10m"),
            "10s",
            "A client that has not sent its whole request after this is cut off.");

    public static final Setting<Integer> REQUESTS_PER_SECOND = Setting.of(
            "server.limits.requests-per-second",
            Quantities.integer(0, 1_000_000),
            "2000",
            "Requests of one principal per second, over time; above it 429. Strangers have a tenth, by address; 0 is no limit.");

    public static final Setting<Integer> BURST = Setting.of(
            "server.limits.burst",
            Quantities.integer(1, 1_000_000),
            "4000",
            "Requests one principal may save up and send at once, if `requests-per-second` is set.");

    public static final Setting<Integer> EVENTS_CLIENTS = Setting.of(
            "server.limits.events-clients",
            Quantities.integer(0, 100_000),
            "1000",
            "Clients that may read `/v2/events` at a time; above it 429.");

    public static final Setting<Integer> EVENTS_PER_PRINCIPAL = Setting.of(
            "server.limits.events-per-principal",
            Quantities.integer(1, 100_000),
            "100",
            "How often one principal may read `/v2/events` at a time; above it 429.");

    public static final Setting<Integer> EVENTS_BUFFER = Setting.of(
            "server.limits.events-buffer",
            Quantities.integer(10, 100_000),
            "1000",
            "Events kept for a client that reads slowly; then it is cut with `reset`.");

    public static final Setting<Integer> WAITERS_PER_NAMESPACE = Setting.of(
            "server.limits.waiters-per-namespace",
            Quantities.integer(1, 1_000_000),
            "100000",
            "Requests that may wait in one namespace; above it 429.");

    public static final Setting<Integer> WAITERS_PER_PRINCIPAL = Setting.of(
            "server.limits.waiters-per-principal",
            Quantities.integer(1, 1_000_000),
            "10000",
            "Requests of one principal that may wait at a time; above it 429.");

    public static final Setting<Duration> LONG_POLL = Setting.of(
            "server.limits.long-poll",
            Quantities.duration("1s", "60s"),
            "60s",
            "Longest `wait_ms` of a request; a longer wait is a repeated request.");

    public static final Setting<Duration> KEEP_PLACE = Setting.of(
            "server.limits.keep-place",
            Quantities.duration("1s", "15s"),
            "15s",
            "How long a place in the queue is kept after a 202 or a lost connection.");

    private LimitSettings() {}
}
