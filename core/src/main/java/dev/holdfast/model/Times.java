package dev.holdfast.model;

import java.time.Duration;
import java.time.Instant;

/** Store time is in whole microseconds; these are the conversions and the two values that mean "never ends". */
public final class Times {
    /** Expiry of a hold that ends only by its lease id or by force. */
    public static final Instant NEVER = Instant.ofEpochSecond(253_402_300_799L); // the last second of the year 9999

    /** Lease of a hold that never expires. */
    public static final Duration FOREVER = Duration.ofDays(365L * 8_000);

    private Times() {}

    /** Microseconds since 1970. */
    public static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }

    /** The time that many microseconds after 1970. */
    public static Instant ofMicros(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }

    /** Microseconds of a duration. */
    public static long micros(Duration duration) {
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }

    /** The duration of that many microseconds. */
    public static Duration ofMicrosLong(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }

    /** {@code start + lease}, or {@link #NEVER} when the lease never ends. */
    public static Instant end(Instant start, Duration lease) {
        return lease.compareTo(FOREVER) >= 0 ? NEVER : start.plus(lease);
    }

    /** The end of the second this time is in: it can be given in whole seconds without promising too much. */
    public static Instant endOfSecond(Instant time) {
        return time.equals(NEVER) ? NEVER : Instant.ofEpochSecond(time.getEpochSecond() + 1);
    }

    /** The later of two times. */
    public static Instant later(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }

    /** The earlier of two times. */
    public static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
