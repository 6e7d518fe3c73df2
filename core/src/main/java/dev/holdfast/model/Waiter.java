package dev.holdfast.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A place in a record's queue.
 *
 * <p>Whether its caller still lives is not said here but once for all waiters of an engine, in {@link LockRecord#alive()}.
 *
 * @param leaseId the acquisition that waits
 * @param scope what it wants
 * @param owner label of the caller
 * @param engine the engine whose caller this is, the only one that may give the place up on its own
 * @param claimWithin how long a grant made by another engine is kept for it; zero: granted only when it calls
 * @param since when it joined
 * @param missed whether it has let one grant pass already; the next one it misses drops it
 */
public record Waiter(
        LeaseId leaseId,
        Scope scope,
        String owner,
        EngineId engine,
        Duration claimWithin,
        Instant since,
        boolean missed) {
    /** Longest claim window: a dead waiter costs no more. */
    public static final Duration MAX_CLAIM = Duration.ofSeconds(60);

    /** Checks owner and claim window. */
    public Waiter {
        Names.text("owner", owner, 1);
        claimWithin(claimWithin);
    }

    /** Checks a claim window on its own and returns it. */
    public static Duration claimWithin(Duration window) {
        boolean within = window.compareTo(Terms.MIN_LEASE) >= 0 && window.compareTo(MAX_CLAIM) <= 0;
        if (!window.isZero() && !within) {
            throw Names.refused(
                    "claim window", window.toString(), "must be 0 or between " + Terms.MIN_LEASE + " and " + MAX_CLAIM);
        }
        return window;
    }

    /** The same place, its caller now at another engine. */
    public Waiter at(EngineId other, Duration within) {
        return engine.equals(other) && claimWithin.equals(within)
                ? this
                : new Waiter(leaseId, scope, owner, other, within, since, missed);
    }

    /** The same waiter after it let a grant pass. */
    public Waiter afterMissing() {
        return new Waiter(leaseId, scope, owner, engine, claimWithin, since, true);
    }
}
