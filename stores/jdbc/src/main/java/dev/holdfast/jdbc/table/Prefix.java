package dev.holdfast.jdbc.table;

import java.util.Optional;

/** Names with a prefix as a range, which an index serves and in which no character is a wildcard. */
public final class Prefix {
    private Prefix() {}

    /** The first text, by code points, that comes after everything that starts so; empty if nothing does. */
    public static Optional<String> end(String prefix) {
        int length = prefix.length();
        while (length > 0) {
            int last = prefix.codePointBefore(length);
            length -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                // Half a surrogate pair cannot be stored, so the range jumps over them.
                int next = last == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : last + 1;
                return Optional.of(prefix.substring(0, length) + Character.toString(next));
            }
        }
        return Optional.empty();
    }
}
