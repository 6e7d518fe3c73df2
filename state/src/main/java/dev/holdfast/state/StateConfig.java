package dev.holdfast.state;

import dev.holdfast.documents.keys.MasterKeys;
import java.time.Clock;
import java.time.Duration;

/**
 * Settings of a {@link StateManager}.
 *
 * @param maxSize the largest document, in bytes; what the document store takes counts too
 * @param retention how long versions are kept; never shorter for the current version and the last good one before it
 * @param visibleLocks whether files beside the state show people who holds the lock; they decide nothing
 * @param clock names versions and judges their age; no decision about who may save depends on it
 * @param keys the master keys under which contents are encrypted before they are stored; none: they are not
 */
public record StateConfig(long maxSize, Duration retention, boolean visibleLocks, Clock clock, MasterKeys keys) {
    /** 64 MB, 90 days, no lock files, nothing encrypted. */
    public static final StateConfig DEFAULT =
            new StateConfig(64L << 20, Duration.ofDays(90), false, Clock.systemUTC(), MasterKeys.NONE);

    /** Checks the bounds. */
    public StateConfig {
        if (maxSize < 1 || maxSize > 1L << 30) {
            throw new IllegalArgumentException("maxSize '" + maxSize + "' must be between 1 byte and 1 GB");
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("retention '" + retention + "' must be longer than zero");
        }
    }

    /** Without keys. */
    public StateConfig(long maxSize, Duration retention, boolean visibleLocks, Clock clock) {
        this(maxSize, retention, visibleLocks, clock, MasterKeys.NONE);
    }

    /** The same with another size limit. */
    public StateConfig withMaxSize(long bytes) {
        return new StateConfig(bytes, retention, visibleLocks, clock, keys);
    }

    /** The same, keeping versions for another time. */
    public StateConfig withRetention(Duration time) {
        return new StateConfig(maxSize, time, visibleLocks, clock, keys);
    }

    /** The same, with or without visible lock files. */
    public StateConfig withVisibleLocks(boolean shown) {
        return new StateConfig(maxSize, retention, shown, clock, keys);
    }

    /** The same on another clock. */
    public StateConfig withClock(Clock other) {
        return new StateConfig(maxSize, retention, visibleLocks, other, keys);
    }

    /** The same, encrypting what is saved under the first of these keys, and reading what is under any of them. */
    public StateConfig withKeys(MasterKeys masters) {
        return new StateConfig(maxSize, retention, visibleLocks, clock, masters);
    }
}
