package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.locks.DynamoRecordStore;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.Optional;

/**
 * How to use a DynamoDB table. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class DynamoConfig {
    /** Two seconds for a request, half a second of skew and between two looks, a day of retention, 90 days of history. */
    public static final DynamoConfig DEFAULT = new DynamoConfig(
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofHours(24),
            true,
            Duration.ofDays(90),
            ListingIndex.IF_THERE,
            LocalTime.SYSTEM);

    private final Duration callTimeout;
    private final Duration skew;
    private final Duration pollInterval;
    private final Duration retention;
    private final boolean history;
    private final Duration historyRetention;
    private final ListingIndex index;
    private final LocalTime time;

    private DynamoConfig(
            Duration callTimeout,
            Duration skew,
            Duration pollInterval,
            Duration retention,
            boolean history,
            Duration historyRetention,
            ListingIndex index,
            LocalTime time) {
        check("timeout", callTimeout, Duration.ofMillis(50), Duration.ofMinutes(1));
        check("skew", skew, Duration.ZERO, Duration.ofMinutes(1));
        check("poll", pollInterval, Duration.ofMillis(10), Duration.ofSeconds(30));
        check("retention", retention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        check("history retention", historyRetention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        this.callTimeout = callTimeout;
        this.skew = skew;
        this.pollInterval = pollInterval;
        this.retention = retention;
        this.history = history;
        this.historyRetention = historyRetention;
        this.index = index;
        this.time = time;
    }

    private static void check(String what, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(what + " '" + value.toMillis() + "ms' must be between " + min.toMillis()
                    + "ms and " + max.toMillis() + "ms");
        }
    }

    /** The same with another patience for a request. */
    public DynamoConfig withCallTimeout(Duration other) {
        return new DynamoConfig(other, skew, pollInterval, retention, history, historyRetention, index, time);
    }

    /** The same with another bound of the servers' clocks. */
    public DynamoConfig withSkew(Duration other) {
        return new DynamoConfig(callTimeout, other, pollInterval, retention, history, historyRetention, index, time);
    }

    /** The same, looking more or less often. */
    public DynamoConfig withPollInterval(Duration other) {
        return new DynamoConfig(callTimeout, skew, other, retention, history, historyRetention, index, time);
    }

    /** The same, keeping unused locks for another time: that of the engine, where it was changed there. */
    public DynamoConfig withRetention(Duration other) {
        return new DynamoConfig(callTimeout, skew, pollInterval, other, history, historyRetention, index, time);
    }

    /** The same, with or without history. */
    public DynamoConfig withHistory(boolean kept) {
        return new DynamoConfig(callTimeout, skew, pollInterval, retention, kept, historyRetention, index, time);
    }

    /** The same, keeping events for another time. */
    public DynamoConfig withHistoryRetention(Duration other) {
        return new DynamoConfig(callTimeout, skew, pollInterval, retention, history, other, index, time);
    }

    /** The same, with listings from elsewhere. */
    public DynamoConfig withIndex(ListingIndex other) {
        return new DynamoConfig(callTimeout, skew, pollInterval, retention, history, historyRetention, other, time);
    }

    /** The same on other clocks. */
    public DynamoConfig withTime(LocalTime other) {
        return new DynamoConfig(callTimeout, skew, pollInterval, retention, history, historyRetention, index, other);
    }

    DynamoRecordStore.Use use(Optional<String> found) {
        return new DynamoRecordStore.Use(pollInterval, retention, historyRetention, found);
    }

    /** After which a request is given up; below a third of the shortest lease in use. */
    public Duration callTimeout() {
        return callTimeout;
    }

    /** By how much the clocks of DynamoDB's servers may differ from true time; all processes on a table must agree on it. */
    public Duration skew() {
        return skew;
    }

    /** How often a process with waiters looks at a lock that others hold. */
    public Duration pollInterval() {
        return pollInterval;
    }

    /** How long DynamoDB keeps the item of a lock nobody uses; longer where fencing still needs it. */
    public Duration retention() {
        return retention;
    }

    /** Whether events are kept, in the table's companion {@code <table>-events}, if that exists. */
    public boolean history() {
        return history;
    }

    /** How long DynamoDB keeps an event. */
    public Duration historyRetention() {
        return historyRetention;
    }

    /** From what listings of one namespace are read. */
    public ListingIndex index() {
        return index;
    }

    /** The machine's clocks. */
    public LocalTime time() {
        return time;
    }
}
