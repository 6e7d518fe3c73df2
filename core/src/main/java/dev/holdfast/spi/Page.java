package dev.holdfast.spi;

import dev.holdfast.model.RecordKey;
import java.util.List;
import java.util.Optional;

/**
 * Part of a listing.
 *
 * @param records in key order; may be fewer than asked, or none, though more follow
 * @param next the cursor of the following page; empty at the end
 */
public record Page(List<Versioned> records, Optional<String> next) {
    /** The cursor of what follows this key, for stores that list by keys: {@link ScanRequest#after} reads it. */
    public static String cursor(RecordKey key) {
        return cursor(key.namespace(), key.name());
    }

    /** The same for what a store found, which may be no key at all. */
    public static String cursor(String namespace, String name) {
        return namespace + '\u0000' + name; // no key has the separator
    }
}
