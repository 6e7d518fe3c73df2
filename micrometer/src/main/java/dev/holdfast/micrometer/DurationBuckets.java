package dev.holdfast.micrometer;

import java.time.Duration;
import java.util.List;

/**
 * The buckets of all histograms of durations, of applications and of the server: what is measured at both ends can be compared.
 */
public final class DurationBuckets {
    /** For answers: fine where a healthy store answers, coarse where only the size of the trouble matters. */
    public static final List<Duration> ANSWERS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10));

    /** For how long somebody waits or holds: from a moment to a night's work. */
    public static final List<Duration> HOLDS = List.of(
            Duration.ofMillis(10),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofHours(6));

    private DurationBuckets() {}

    /** As a timer takes them. */
    public static Duration[] array(List<Duration> buckets) {
        return buckets.toArray(Duration[]::new);
    }
}
