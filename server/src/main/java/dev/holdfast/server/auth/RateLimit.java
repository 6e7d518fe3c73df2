package dev.holdfast.server.auth;

import dev.holdfast.internal.parts.RecentMap;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How often each caller may ask: a bucket of tokens per principal, or per network address where nobody is asked for a name.
 * Fair between callers, not a shield against floods: the number of buckets is bounded, and the one not used for longest is
 * forgotten, which means full again. Thread-safe; one short critical section per request.
 */
public final class RateLimit {
    /** A stranger's request counts as so many. */
    private static final int STRANGERS = 10;

    private final Config config;
    private final LongSupplier nanos;
    private final long perRequest;
    private final long capacity;
    private final Map<Caller, Bucket> buckets;

    /**
     * The limit.
     *
     * @param perSecond requests per second each caller may send for ever; 0 for no limit
     * @param burst requests a caller that was quiet may send at once
     */
    public record Config(int perSecond, int burst, int maxCallers) {
        public static final Config UNLIMITED = new Config(0, 1, 1);

        public Config {
            if (perSecond < 0 || perSecond > 1_000_000) {
                throw new IllegalArgumentException(
                        "requests per second must be between 0 (no limit) and 1000000, was '" + perSecond + "'");
            }
            if (burst < 1 || burst > 1_000_000) {
                throw new IllegalArgumentException("burst must be between 1 and 1000000, was '" + burst + "'");
            }
            if (maxCallers < 1 || maxCallers > 1_000_000) {
                throw new IllegalArgumentException("callers must be between 1 and 1000000, was '" + maxCallers + "'");
            }
        }
    }

    /** With {@code nanos} as monotonic time, {@code System::nanoTime} outside tests. */
    public RateLimit(Config config, LongSupplier nanos) {
        this.config = config;
        this.nanos = nanos;
        this.perRequest = config.perSecond() == 0 ? 0 : Duration.ofSeconds(1).toNanos() / config.perSecond();
        this.capacity = perRequest * config.burst();
        this.buckets = new RecentMap<>(config.maxCallers());
    }

    /**
     * One request of this principal, from this address (a literal, without port). Where nobody is asked, this machine is not limited.
     *
     * @return empty if it may; else when the next one may, at least a millisecond
     */
    public Optional<Duration> admit(Principal principal, String address) {
        if (principal.isAnonymous()) {
            return admitOpen(address);
        }
        return admit(new Caller(principal.origin().name(), principal.name()), perRequest);
    }

    /** One request that needs no credentials. */
    public Optional<Duration> admitOpen(String address) {
        return Loopback.isLoopback(address)
                ? Optional.empty()
                : admit(new Caller("open", network(address)), perRequest);
    }

    /**
     * One request of somebody unknown, such as one whose credentials were refused, or must be looked at for longer: guessing is limited
     * too, to a tenth of what a known caller may.
     */
    public Optional<Duration> admitStranger(String address) {
        return admit(new Caller("stranger", network(address)), perRequest * STRANGERS);
    }

    private Optional<Duration> admit(Caller caller, long cost) {
        if (config.perSecond() == 0) {
            return Optional.empty();
        }
        long now = nanos.getAsLong();
        synchronized (buckets) {
            return buckets.computeIfAbsent(caller, it -> new Bucket(now)).take(now, cost, Math.max(cost, capacity));
        }
    }

    /** What stands for all addresses of one client: one who has an IPv6 address has 2^64 of them, so its network counts. */
    public static String network(String address) {
        if (address.indexOf(':') < 0) {
            return ForeignText.safely(address);
        }
        return Loopback.address(address.split("%", 2)[0])
                .map(RateLimit::network)
                .orElseGet(() -> ForeignText.safely(address));
    }

    private static String network(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return address.getHostAddress();
        }
        HexFormat hex = HexFormat.of();
        return hex.formatHex(bytes, 0, 2) + ":" + hex.formatHex(bytes, 2, 4) + ":" + hex.formatHex(bytes, 4, 6) + ":"
                + hex.formatHex(bytes, 6, 8) + "::/64";
    }

    private record Caller(String kind, String name) {}

    /** Remembers only when it will be full: tokens need not be counted. */
    private static final class Bucket {
        private long fullAt;

        Bucket(long now) {
            fullAt = now;
        }

        Optional<Duration> take(long now, long perRequest, long capacity) {
            long missing = Math.max(0, fullAt - now) + perRequest;
            if (missing > capacity) {
                return Optional.of(Duration.ofMillis(1 + (missing - capacity) / 1_000_000));
            }
            fullAt = now + missing;
            return Optional.empty();
        }
    }
}
