package dev.holdfast.model;

import java.time.Instant;

/**
 * A lease that ended: a late duplicate of its acquire must not be granted again.
 *
 * @param fingerprint {@link LeaseId#fingerprint()} of the lease
 * @param how why it ended
 * @param at store time of the end
 */
public record Ended(long fingerprint, LostReason how, Instant at) {}
