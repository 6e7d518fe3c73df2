package dev.holdfast.spi;

import dev.holdfast.model.LockRecord;

/**
 * A record as stored.
 *
 * @param record the record, with its stamp
 * @param tag the store's own mark of this version (an ETag, a revision), handed back with the next write; empty for stores
 *     that compare the stamp itself
 */
public record Versioned(LockRecord record, String tag) {
    /** A record of a store that compares stamps. */
    public static Versioned of(LockRecord record) {
        return new Versioned(record, "");
    }
}
