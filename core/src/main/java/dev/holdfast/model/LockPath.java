package dev.holdfast.model;

/**
 * A place in the hierarchy inside one record: segments joined by {@code /}. The empty path is the whole tree.
 *
 * <p>Two paths overlap when they are equal or one is an ancestor of the other; siblings never do.
 *
 * @param value the segments joined by {@code /}, or the empty string
 */
public record LockPath(String value) implements Comparable<LockPath> {
    /** Deepest path. A deployment has stack, service, component, resource: sixteen is generous. */
    public static final int MAX_SEGMENTS = 16;

    /** Longest path, separators included. */
    public static final int MAX_LENGTH = 512;

    /** The whole tree. */
    public static final LockPath WHOLE = new LockPath("");

    /** Checks the segments. */
    public LockPath {
        if (!value.isEmpty()) {
            check(value);
        }
    }

    /** The path with these segments joined by {@code /}; the empty string is the whole tree. */
    public static LockPath of(String value) {
        return value.isEmpty() ? WHOLE : new LockPath(value);
    }

    /** Whether this is the whole tree. */
    public boolean isWhole() {
        return value.isEmpty();
    }

    /** Whether one of the two contains the other. */
    public boolean overlaps(LockPath other) {
        return contains(other) || other.contains(this);
    }

    private boolean contains(LockPath other) {
        return value.isEmpty()
                || (other.value.startsWith(value)
                        && (other.value.length() == value.length() || other.value.charAt(value.length()) == '/'));
    }

    @Override
    public int compareTo(LockPath other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }

    private static void check(String value) {
        Names.printable("lock path", Names.sized("lock path", value, 0, MAX_LENGTH));
        int segments = 0;
        for (int start = 0; start <= value.length(); segments++) {
            int slash = value.indexOf('/', start);
            int end = slash < 0 ? value.length() : slash;
            if (end == start) {
                throw Names.refused(
                        "lock path",
                        value,
                        "has an empty segment; write 'a/b' without leading, trailing or double '/'");
            }
            start = end + 1;
        }
        if (segments > MAX_SEGMENTS) {
            throw Names.refused(
                    "lock path", value, "has " + segments + " segments, at most " + MAX_SEGMENTS + " are allowed");
        }
    }
}
