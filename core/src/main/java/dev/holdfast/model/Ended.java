package dev.holdfast.model;

/**
 * A lease that ended: a late duplicate of its acquire must not be granted again.
 *
 * @param fingerprint {@link LeaseId#fingerprint()} of the lease
 * @param how why it ended
 */
public record Ended(long fingerprint, LostReason how) {}
