package dev.holdfast.model;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a caller asks of its hold besides the scope: how long, how it is kept, and what others should read about it.
 *
 * @param lease from {@link #MIN_LEASE} to {@link #MAX_LEASE}, or {@link Times#FOREVER}
 * @param renewEvery how often the holder means to renew; zero when it does not. Decides when the hold looks stale
 * @param minHold a release before this keeps the record busy until then; zero for none
 * @param metadata at most {@value #MAX_ENTRIES} entries and {@value #MAX_METADATA} characters
 * @param reason why, in a few words; may be empty
 * @param account as whom the caller is known
 */
public record Terms(
        Duration lease,
        Duration renewEvery,
        Duration minHold,
        Map<String, String> metadata,
        String reason,
        Account account) {
    /** Shortest lease. Below it a garbage collection looks like a death. */
    public static final Duration MIN_LEASE = Duration.ofMillis(100);
    /** Longest lease that ends by itself. */
    public static final Duration MAX_LEASE = Duration.ofHours(24);
    /** Most metadata entries. */
    public static final int MAX_ENTRIES = 32;
    /** Most characters in all metadata keys and values together. */
    public static final int MAX_METADATA = 4_096;
    /** Renewals are never further apart than this, however long the lease. */
    public static final Duration MAX_RENEWAL = Duration.ofSeconds(30);

    /** Checks every bound. */
    public Terms {
        lease(lease);
        if (renewEvery.isNegative() || renewEvery.compareTo(lease) > 0) {
            throw Names.refused(
                    "renewal interval", renewEvery.toString(), "must be between 0 and the lease of " + lease);
        }
        if (minHold.isNegative() || minHold.compareTo(MAX_LEASE) > 0) {
            throw Names.refused("minimum hold", minHold.toString(), "must be between 0 and " + MAX_LEASE);
        }
        metadata = metadata(metadata);
        Names.text("reason", reason, 0);
    }

    /** Without an account. */
    public Terms(Duration lease, Duration renewEvery, Duration minHold, Map<String, String> metadata, String reason) {
        this(lease, renewEvery, minHold, metadata, reason, Account.NONE);
    }

    /** A lease that is renewed at a third of its length, without metadata. */
    public static Terms of(Duration lease) {
        return new Terms(lease, renewal(lease), Duration.ZERO, Map.of(), "");
    }

    /** The usual renewal interval of a lease: a third of it, at most {@link #MAX_RENEWAL}. */
    public static Duration renewal(Duration lease) {
        long third = Times.micros(lease) / 3;
        return third < Times.micros(MAX_RENEWAL) ? Times.ofMicrosLong(third) : MAX_RENEWAL;
    }

    /** Checks a lease on its own and returns it. */
    public static Duration lease(Duration lease) {
        if (!lease.equals(Times.FOREVER) && (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0)) {
            throw Names.refused("lease", lease.toString(), "must be between " + MIN_LEASE + " and " + MAX_LEASE);
        }
        return lease;
    }

    /** The same terms with another lease. */
    public Terms withLease(Duration changed) {
        Duration every = renewEvery.compareTo(changed) > 0 ? changed : renewEvery;
        return changed.equals(lease) ? this : new Terms(changed, every, minHold, metadata, reason, account);
    }

    /** The same terms, of this account. */
    public Terms by(Account known) {
        return new Terms(lease, renewEvery, minHold, metadata, reason, known);
    }

    /** Without metadata and reason, which are only for others to read. */
    public Terms bare() {
        return new Terms(lease, renewEvery, minHold, Map.of(), "", account);
    }

    /** Checks metadata on its own and returns it, sorted. */
    static Map<String, String> metadata(Map<String, String> metadata) {
        return metadata.isEmpty() ? Map.of() : checked(metadata);
    }

    private static Map<String, String> checked(Map<String, String> metadata) {
        if (metadata.size() > MAX_ENTRIES) {
            throw Names.refused(
                    "metadata", metadata.size() + " entries", "may have at most " + MAX_ENTRIES + " entries");
        }
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            Names.printable("metadata key", Names.sized("metadata key", entry.getKey(), 1, 128));
            Names.unicode("metadata value", entry.getValue());
            size += entry.getKey().length() + entry.getValue().length();
        }
        if (size > MAX_METADATA) {
            throw Names.refused(
                    "metadata", size + " characters", "may have at most " + MAX_METADATA + " characters in all");
        }
        return java.util.Collections.unmodifiableMap(new TreeMap<>(metadata)); // sorted: equal terms encode equally
    }
}
