package dev.holdfast.state.versions;

import dev.holdfast.documents.keys.MasterKeys;
import java.time.Clock;
import java.time.Duration;

/**
 * Settings of a {@link dev.holdfast.state.StateManager}. Changed by what begins with {@code with}; cannot be changed
 * itself.
 */
public final class StateConfig {
    /** 64 MB, 90 days, 10,000 versions, no lock files, nothing encrypted. */
    public static final StateConfig DEFAULT =
            new StateConfig(64L << 20, Duration.ofDays(90), 10_000, false, Clock.systemUTC(), MasterKeys.NONE);

    private static final int MIN_VERSIONS = 2;

    private final long maxSize;
    private final Duration retention;
    private final int maxVersions;
    private final boolean visibleLocks;
    private final Clock clock;
    private final MasterKeys keys;

    private StateConfig(
            long maxSize, Duration retention, int maxVersions, boolean visibleLocks, Clock clock, MasterKeys keys) {
        if (maxSize < 1 || maxSize > 1L << 30) {
            throw new IllegalArgumentException("maxSize '" + maxSize + "' must be between 1 byte and 1 GB");
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("retention '" + retention + "' must be longer than zero");
        }
        if (maxVersions < MIN_VERSIONS) {
            throw new IllegalArgumentException("maxVersions '" + maxVersions + "' must be at least " + MIN_VERSIONS);
        }
        this.maxSize = maxSize;
        this.retention = retention;
        this.maxVersions = maxVersions;
        this.visibleLocks = visibleLocks;
        this.clock = clock;
        this.keys = keys;
    }

    public StateConfig withMaxSize(long bytes) {
        return new StateConfig(bytes, retention, maxVersions, visibleLocks, clock, keys);
    }

    public StateConfig withRetention(Duration time) {
        return new StateConfig(maxSize, time, maxVersions, visibleLocks, clock, keys);
    }

    public StateConfig withMaxVersions(int number) {
        return new StateConfig(maxSize, retention, number, visibleLocks, clock, keys);
    }

    public StateConfig withVisibleLocks(boolean shown) {
        return new StateConfig(maxSize, retention, maxVersions, shown, clock, keys);
    }

    public StateConfig withClock(Clock other) {
        return new StateConfig(maxSize, retention, maxVersions, visibleLocks, other, keys);
    }

    /** The same, encrypting what is saved under the first of these keys, and reading what is under any of them. */
    public StateConfig withKeys(MasterKeys masters) {
        return new StateConfig(maxSize, retention, maxVersions, visibleLocks, clock, masters);
    }

    /** The largest document, in bytes; what the document store takes counts too. */
    public long maxSize() {
        return maxSize;
    }

    /** How long versions are kept; never shorter for the current version and the last good one before it. */
    public Duration retention() {
        return retention;
    }

    /** How many versions of a stack are kept, about; the oldest go first, never the current one or the last good one. */
    public int maxVersions() {
        return maxVersions;
    }

    /** Whether files beside the state show people who holds the lock; they decide nothing. */
    public boolean visibleLocks() {
        return visibleLocks;
    }

    /** Names versions and judges their age; no decision about who may save depends on it. */
    public Clock clock() {
        return clock;
    }

    /** The master keys under which contents are encrypted before they are stored; none: they are not. */
    public MasterKeys keys() {
        return keys;
    }
}
