package dev.holdfast.spi;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import java.time.Instant;
import java.util.Optional;

/**
 * Which records to list.
 *
 * @param namespace only this one, if given
 * @param prefix only names that start with this; empty for all
 * @param which all, only busy, or only long idle ones
 * @param cursor where to go on, from {@link Page#next()}
 * @param limit at most this many, 1 to {@value #MAX_LIMIT}
 */
public record ScanRequest(Optional<String> namespace, String prefix, Which which, Optional<String> cursor, int limit) {
    /** Largest page. */
    public static final int MAX_LIMIT = 1_000;

    /** Checks the limit. */
    public ScanRequest {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit '" + limit + "' must be between 1 and " + MAX_LIMIT);
        }
    }

    /**
     * Which records by what goes on in them.
     *
     * @param busy only records with holds or waiters
     * @param idleSince only records without either whose last token is older than this time
     */
    public record Which(boolean busy, Optional<Instant> idleSince) {
        /** All. */
        public static final Which ALL = new Which(false, Optional.empty());

        /** Whether a record is among them. */
        public boolean matches(LockRecord record) {
            return (!busy || !record.isIdle())
                    && idleSince
                            .map(time -> record.isIdle() && record.fence().value() < Times.micros(time))
                            .orElse(true);
        }
    }

    /** All records, from the start. */
    public static ScanRequest all() {
        return new ScanRequest(Optional.empty(), "", Which.ALL, Optional.empty(), MAX_LIMIT);
    }

    /** Records nobody has been granted since then, and nobody holds or waits for. */
    public static ScanRequest idleSince(Instant time) {
        return new ScanRequest(Optional.empty(), "", new Which(false, Optional.of(time)), Optional.empty(), MAX_LIMIT);
    }

    /** The same, only of this namespace. */
    public ScanRequest in(String one) {
        return new ScanRequest(Optional.of(one), prefix, which, cursor, limit);
    }

    /** The same, only names with this prefix. */
    public ScanRequest startingWith(String start) {
        return new ScanRequest(namespace, start, which, cursor, limit);
    }

    /** The same, at most this many. */
    public ScanRequest limit(int most) {
        return new ScanRequest(namespace, prefix, which, cursor, most);
    }

    /** The same, from {@link Page#next()} on. */
    public ScanRequest from(String place) {
        return from(Optional.of(place));
    }

    /** The same, from another place on, or from the start. */
    public ScanRequest from(Optional<String> other) {
        return new ScanRequest(namespace, prefix, which, other, limit);
    }

    /**
     * The key behind which the page begins, where cursors are made by {@link Page#cursor}.
     *
     * @throws IllegalArgumentException if the cursor is another
     */
    public Optional<RecordKey> after() {
        return cursor.map(place -> {
            int end = place.indexOf('\u0000');
            if (end < 0) {
                throw new IllegalArgumentException("the cursor is not from a listing; start again without it");
            }
            return new RecordKey(place.substring(0, end), place.substring(end + 1));
        });
    }

    /** Whether a record is among those, wherever the page begins. */
    public boolean matches(LockRecord record) {
        return namespace.map(record.key().namespace()::equals).orElse(true)
                && record.key().name().startsWith(prefix)
                && which.matches(record);
    }

    /** The same, only records with holds or waiters. */
    public ScanRequest busy() {
        return new ScanRequest(namespace, prefix, new Which(true, Optional.empty()), cursor, limit);
    }
}
