package dev.holdfast.internal.engine;

import dev.holdfast.model.Cause;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Waiter;
import java.time.Duration;

/**
 * An acquisition asked of the engine.
 *
 * @param key the record
 * @param leaseId names the acquisition; asking again with the same id is the same acquisition
 * @param scope what is wanted of the record
 * @param owner label of the caller
 * @param terms what is asked besides
 * @param waitFor how long to wait in the queue; zero: not at all
 * @param keepPlace how long the place is kept after {@code waitFor} for the same id to ask again; zero: not at all
 * @param claimWithin how long the lock is reserved for a place that is kept, once it is its turn; usually as long as the place
 * @param cause who asks, for the audit
 */
public record Request(
        RecordKey key,
        LeaseId leaseId,
        Scope scope,
        String owner,
        Terms terms,
        Duration waitFor,
        Duration keepPlace,
        Duration claimWithin,
        Cause cause) {
    /** Longest wait of one request. */
    public static final Duration MAX_WAIT = Duration.ofDays(7);

    /** Checks owner and waits. */
    public Request {
        Names.text("owner", owner, 1);
        waitFor(waitFor);
        if (keepPlace.isNegative() || keepPlace.compareTo(Waiter.MAX_CLAIM) > 0) {
            throw new IllegalArgumentException(
                    "keepPlace '" + keepPlace + "' must be between 0 and " + Waiter.MAX_CLAIM);
        }
        Waiter.claimWithin(claimWithin);
    }

    /** A request whose turn is kept for as long as its place. */
    public Request(
            RecordKey key,
            LeaseId leaseId,
            Scope scope,
            String owner,
            Terms terms,
            Duration waitFor,
            Duration keepPlace,
            Cause cause) {
        this(key, leaseId, scope, owner, terms, waitFor, keepPlace, keepPlace, cause);
    }

    /** The same, but when it is its turn, the lock is reserved for it for this long only. */
    public Request claimingWithin(Duration within) {
        return new Request(key, leaseId, scope, owner, terms, waitFor, keepPlace, within, cause);
    }

    /** The same, taken if it is free and not waited for. */
    public Request withoutWaiting() {
        return new Request(key, leaseId, scope, owner, terms, Duration.ZERO, Duration.ZERO, cause);
    }

    /** A request of the owner itself. */
    public Request(
            RecordKey key,
            LeaseId leaseId,
            Scope scope,
            String owner,
            Terms terms,
            Duration waitFor,
            Duration keepPlace) {
        this(key, leaseId, scope, owner, terms, waitFor, keepPlace, Cause.OWNER);
    }

    /** Checks a wait on its own and returns it. */
    public static Duration waitFor(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait '" + wait + "' must be between 0 and " + MAX_WAIT);
        }
        return wait;
    }

    /** What is asked for; the first part, if several are. */
    public LockKey firstKey() {
        return new LockKey(key, scope.paths().get(0));
    }
}
