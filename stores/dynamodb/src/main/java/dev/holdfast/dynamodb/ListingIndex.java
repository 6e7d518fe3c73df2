package dev.holdfast.dynamodb;

import java.util.regex.Pattern;

/**
 * Whether listings of one namespace are read from a global secondary index of the table instead of from all of it. Only
 * listings are: whether a lock is free is never decided by an index, which may be a little behind the table.
 *
 * @param name of the index, 3 to 255 of letters, digits, {@code _ . -}
 * @param use when it is used
 */
public record ListingIndex(String name, Use use) {
    // Before the constants below, which are checked by it.
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    /** The name of the index that is used where none was named. */
    public static final String DEFAULT_NAME = "holdfast-namespace";

    /** Listings read the index of the usual name if the table has it, else the whole table. */
    public static final ListingIndex IF_THERE = new ListingIndex(DEFAULT_NAME, Use.IF_THERE);

    /** Listings read the whole table, and so exactly what is in it. */
    public static final ListingIndex OFF = new ListingIndex(DEFAULT_NAME, Use.NEVER);

    /** When an index is used. */
    public enum Use {
        /** Not even if it is there. */
        NEVER,
        /** If it is there and has the right keys. */
        IF_THERE,
        /** The table is not opened without it. */
        REQUIRED
    }

    public ListingIndex {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "index '" + name + "' must be on, off, or the name of an index such as " + DEFAULT_NAME);
        }
    }

    /** Listings read the index of this name; a table without it is not opened. */
    public static ListingIndex required(String name) {
        return new ListingIndex(name, Use.REQUIRED);
    }
}
