package dev.holdfast.engine;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
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
 */
public record Request(
        RecordKey key, LeaseId leaseId, Scope scope, String owner, Terms terms, Duration waitFor, Duration keepPlace) {
    /** Longest wait of one request. */
    public static final Duration MAX_WAIT = Duration.ofDays(7);

    /** Checks the waits. */
    public Request {
        if (waitFor.isNegative() || waitFor.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait '" + waitFor + "' must be between 0 and " + MAX_WAIT);
        }
        if (keepPlace.isNegative() || keepPlace.compareTo(dev.holdfast.model.Waiter.MAX_CLAIM) > 0) {
            throw new IllegalArgumentException(
                    "keepPlace '" + keepPlace + "' must be between 0 and " + dev.holdfast.model.Waiter.MAX_CLAIM);
        }
    }
}
