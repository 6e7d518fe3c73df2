package dev.holdfast.state.versions;

import dev.holdfast.documents.keys.MasterKeys;
import java.time.Clock;
import java.time.Duration;

/**
 * Settings of a {@link dev.holdfast.state.StateManager}.
 *
 * @param maxSize the largest document, in bytes; what the document store takes counts too
 * @param retention how long versions are kept; never shorter for the current version and the last good one before it
 * @param maxVersions how many versions of a stack are kept, about; the oldest go first, never the current one or the last good one
 * @param visibleLocks whether files beside the state show people who holds the lock; they decide nothing
 * @param clock names versions and judges their age; no decision about who may save depends on it
 * @param keys the master keys under which contents are encrypted before they are stored; none: they are not
 */
public record StateConfig(
        long maxSize, Duration retention, int maxVersions, boolean visibleLocks, Clock clock, MasterKeys keys) {
    /** 64 MB, 90 days, 10,000 versions, no lock files, nothing encrypted. */
    public static final StateConfig DEFAULT =
            new StateConfig(64L << 20, Duration.ofDays(90), 10_000, false, Clock.systemUTC(), MasterKeys.NONE);

    private static final int MIN_VERSIONS = 2;

    /** Checks the bounds. */
    public StateConfig {
        if (maxSize < 1 || maxSize > 1L << 30) {
            throw new IllegalArgumentException("maxSize '" + maxSize + "' must be between 1 byte and 1 GB");
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("retention '" + retention + "' must be longer than zero");
        }
        if (maxVersions < MIN_VERSIONS) {
            throw new IllegalArgumentException("maxVersions '" + maxVersions + "' must be at least " + MIN_VERSIONS);
        }
    }

    /** The same with another size limit. */
    public StateConfig withMaxSize(long bytes) {
        return new StateConfig(bytes, retention, maxVersions, visibleLocks, clock, keys);
    }

    /** The same, keeping versions for another time. */
    public StateConfig withRetention(Duration time) {
        return new StateConfig(maxSize, time, maxVersions, visibleLocks, clock, keys);
    }

    /** The same, keeping another number of versions of each stack. */
    public StateConfig withMaxVersions(int number) {
        return new StateConfig(maxSize, retention, number, visibleLocks, clock, keys);
    }

    /** The same, with or without visible lock files. */
    public StateConfig withVisibleLocks(boolean shown) {
        return new StateConfig(maxSize, retention, maxVersions, shown, clock, keys);
    }

    /** The same on another clock. */
    public StateConfig withClock(Clock other) {
        return new StateConfig(maxSize, retention, maxVersions, visibleLocks, other, keys);
    }

    /** The same, encrypting what is saved under the first of these keys, and reading what is under any of them. */
    public StateConfig withKeys(MasterKeys masters) {
        return new StateConfig(maxSize, retention, maxVersions, visibleLocks, clock, masters);
    }
}
