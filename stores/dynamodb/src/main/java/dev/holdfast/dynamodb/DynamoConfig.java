package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.locks.DynamoRecordStore;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to use a DynamoDB table. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class DynamoConfig {
    /** Two seconds for a request, half a second of skew and between two looks, a day of retention, 90 days of history. */
    public static final DynamoConfig DEFAULT = new DynamoConfig();

    private Duration callTimeout = Duration.ofSeconds(2);
    private Duration skew = Duration.ofMillis(500);
    private Duration pollInterval = Duration.ofMillis(500);
    private Duration retention = Duration.ofHours(24);
    private boolean history = true;
    private Duration historyRetention = Duration.ofDays(90);
    private ListingIndex index = ListingIndex.IF_THERE;
    private LocalTime time = LocalTime.SYSTEM;

    private DynamoConfig() {}

    private DynamoConfig with(Consumer<DynamoConfig> change) {
        DynamoConfig copy = new DynamoConfig();
        copy.callTimeout = callTimeout;
        copy.skew = skew;
        copy.pollInterval = pollInterval;
        copy.retention = retention;
        copy.history = history;
        copy.historyRetention = historyRetention;
        copy.index = index;
        copy.time = time;
        change.accept(copy);
        check("timeout", copy.callTimeout, Duration.ofMillis(50), Duration.ofMinutes(1));
        check("skew", copy.skew, Duration.ZERO, Duration.ofMinutes(1));
        check("poll", copy.pollInterval, Duration.ofMillis(10), Duration.ofSeconds(30));
        check("retention", copy.retention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        check("history retention", copy.historyRetention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        return copy;
    }

    private static void check(String what, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(what + " '" + value.toMillis() + "ms' must be between " + min.toMillis()
                    + "ms and " + max.toMillis() + "ms");
        }
    }

    public DynamoConfig withCallTimeout(Duration other) {
        return with(copy -> copy.callTimeout = other);
    }

    public DynamoConfig withSkew(Duration other) {
        return with(copy -> copy.skew = other);
    }

    public DynamoConfig withPollInterval(Duration other) {
        return with(copy -> copy.pollInterval = other);
    }

    /** The same, keeping unused locks for another time: that of the engine, where it was changed there. */
    public DynamoConfig withRetention(Duration other) {
        return with(copy -> copy.retention = other);
    }

    public DynamoConfig withHistory(boolean kept) {
        return with(copy -> copy.history = kept);
    }

    public DynamoConfig withHistoryRetention(Duration other) {
        return with(copy -> copy.historyRetention = other);
    }

    public DynamoConfig withIndex(ListingIndex other) {
        return with(copy -> copy.index = other);
    }

    public DynamoConfig withTime(LocalTime other) {
        return with(copy -> copy.time = other);
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

    public Duration historyRetention() {
        return historyRetention;
    }

    /** From what listings of one namespace are read. */
    public ListingIndex index() {
        return index;
    }

    public LocalTime time() {
        return time;
    }
}
