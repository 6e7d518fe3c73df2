package dev.holdfast.documents;

import java.util.Optional;

/**
 * Which documents to list.
 *
 * @param prefix only names that start with this; may be empty, may end within a segment
 * @param leaf only names whose last segment is this: cheap however many other documents there are, where the store can
 * @param after only names after this one
 * @param limit at most this many, 1 to {@value #MAX_LIMIT}
 * @param newestFirst in descending order; {@code after} then means before
 */
public record ListRequest(
        String prefix, Optional<String> leaf, Optional<String> after, int limit, boolean newestFirst) {
    /** Most documents in one page. */
    public static final int MAX_LIMIT = 1_000;

    public ListRequest {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit '" + limit + "' must be between 1 and " + MAX_LIMIT);
        }
    }

    /** The first documents with this prefix. */
    public static ListRequest of(String prefix, int limit) {
        return new ListRequest(prefix, Optional.empty(), Optional.empty(), limit, false);
    }

    /** Only those with this last segment. */
    public ListRequest ending(String only) {
        return new ListRequest(prefix, Optional.of(only), after, limit, newestFirst);
    }

    /** Going on behind this one. */
    public ListRequest after(Optional<String> last) {
        return new ListRequest(prefix, leaf, last, limit, newestFirst);
    }

    /** The last first. */
    public ListRequest descending() {
        return new ListRequest(prefix, leaf, after, limit, true);
    }

    /** Whether a document with this name is asked for. */
    public boolean matches(String name) {
        return name.startsWith(prefix)
                && leaf.map(DocumentNames.leaf(name)::equals).orElse(true)
                && after.map(last -> newestFirst ? name.compareTo(last) < 0 : name.compareTo(last) > 0)
                        .orElse(true);
    }
}
