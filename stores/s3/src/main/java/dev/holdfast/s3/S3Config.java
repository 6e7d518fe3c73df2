package dev.holdfast.s3;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to use a bucket. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class S3Config {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Three seconds for a request, half a second between the clocks of S3's servers, a second between two looks. */
    public static final S3Config DEFAULT =
            new S3Config(Duration.ofSeconds(3), Duration.ofMillis(500), Duration.ofSeconds(1), LocalTime.SYSTEM);

    private final Duration requestTimeout;
    private final Duration clockSkew;
    private final Duration pollInterval;
    private final LocalTime time;

    private S3Config(Duration requestTimeout, Duration clockSkew, Duration pollInterval, LocalTime time) {
        if (requestTimeout.compareTo(SHORTEST) < 0 || requestTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "request timeout '" + requestTimeout + "' must be between " + SHORTEST + " and " + LONGEST);
        }
        if (clockSkew.isNegative() || clockSkew.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("clock skew '" + clockSkew + "' must be between 0 and " + LONGEST);
        }
        if (pollInterval.compareTo(SHORTEST) < 0 || pollInterval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "poll interval '" + pollInterval + "' must be between " + SHORTEST + " and " + LONGEST);
        }
        this.requestTimeout = requestTimeout;
        this.clockSkew = clockSkew;
        this.pollInterval = pollInterval;
        this.time = time;
    }

    public S3Config withRequestTimeout(Duration other) {
        return new S3Config(other, clockSkew, pollInterval, time);
    }

    public S3Config withClockSkew(Duration other) {
        return new S3Config(requestTimeout, other, pollInterval, time);
    }

    public S3Config withPollInterval(Duration other) {
        return new S3Config(requestTimeout, clockSkew, other, time);
    }

    public S3Config withTime(LocalTime other) {
        return new S3Config(requestTimeout, clockSkew, pollInterval, other);
    }

    /** After which a request is given up; below a third of the shortest lease in use. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** By how much the clocks of the servers that answer for the bucket may differ from one another. */
    public Duration clockSkew() {
        return clockSkew;
    }

    /** How often a process with waiters looks at a lock that others hold; after a long wait a quarter as often. */
    public Duration pollInterval() {
        return pollInterval;
    }

    public LocalTime time() {
        return time;
    }
}
