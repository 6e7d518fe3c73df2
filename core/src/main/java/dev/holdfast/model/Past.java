package dev.holdfast.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a record remembers though nobody holds it. Stores keep it apart from the rest, so that the first acquire of a
 * process, which has not read the record, does not wipe it out.
 *
 * @param ended the last {@value #MAX_ENDED} ended leases
 * @param lastEnd store time of the last end; {@link Instant#MIN} if none is remembered
 * @param done the last completed generation of once-only work
 */
public record Past(EndedLeases ended, Instant lastEnd, Optional<Done> done) {
    /** Most ended leases remembered. */
    public static final int MAX_ENDED = 32;

    /** How long a record with ended leases is kept at least: late duplicates are not later than this. */
    public static final Duration KEEP_ENDED = Duration.ofMinutes(10);

    /** A record without past. */
    public static final Past NONE = new Past(EndedLeases.NONE, Instant.MIN, Optional.empty());

    /** This past and one more ended lease. */
    public Past with(LeaseId leaseId, LostReason how, Instant at) {
        return new Past(ended.with(leaseId, how), at, done);
    }

    /** This past and a completed generation. */
    public Past with(Done completed) {
        return new Past(ended, lastEnd, Optional.of(completed));
    }

    /** How the lease ended, if it is among those remembered. */
    public Optional<LostReason> how(LeaseId leaseId) {
        return ended.how(leaseId);
    }

    /** Until when the ended leases must be remembered; {@link Instant#MIN} if there are none. */
    public Instant keepUntil() {
        return ended.isEmpty() ? Instant.MIN : lastEnd.plus(KEEP_ENDED);
    }
}
