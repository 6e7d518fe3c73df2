package dev.holdfast.model;

/**
 * How a lock is shared: alone, with other readers, or with a bounded number of equals.
 *
 * @param kind which of the three
 * @param limit for permits, how many may hold the same path at once; 1 for exclusive, {@link #MAX_LIMIT} for shared
 */
public record Mode(Kind kind, int limit) {
    /** The three ways to share. */
    public enum Kind {
        /** Nobody else. */
        EXCLUSIVE,
        /** Any number of shared holders, no other. */
        SHARED,
        /** At most {@code limit} permit holders on the same path; the smallest limit among them counts. */
        PERMIT
    }

    /** Most permits of one path: the number of holds a record takes. */
    public static final int MAX_LIMIT = 1_000;

    /** Nobody else. */
    public static final Mode EXCLUSIVE = new Mode(Kind.EXCLUSIVE, 1);

    /** With other shared holders. */
    public static final Mode SHARED = new Mode(Kind.SHARED, MAX_LIMIT);

    /** Checks the limit. */
    public Mode {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw Names.refused("permit limit", Integer.toString(limit), "must be between 1 and " + MAX_LIMIT);
        }
    }

    /** One of at most {@code limit} holders. */
    public static Mode permit(int limit) {
        return new Mode(Kind.PERMIT, limit);
    }

    /** The wire name: {@code exclusive}, {@code shared} or {@code permit}. */
    public String label() {
        return switch (kind) {
            case EXCLUSIVE -> "exclusive";
            case SHARED -> "shared";
            case PERMIT -> "permit";
        };
    }

    @Override
    public String toString() {
        return kind == Kind.PERMIT ? "permit(" + limit + ")" : label();
    }
}
