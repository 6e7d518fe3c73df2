package dev.holdfast.server.auth;

/**
 * A text in which {@code *} stands for any characters, also none. Upper and lower case differ. Matching takes time in proportion to
 * the text and the pattern, whatever they are: the text comes from strangers.
 *
 * @param pattern 1 to {@value #MAX} printable characters
 */
public record Glob(String pattern) {
    /** Longest pattern; no claim or subject that is told apart is longer. */
    public static final int MAX = 500;

    public Glob {
        if (pattern.isEmpty() || pattern.length() > MAX || pattern.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a pattern must be 1 to " + MAX + " printable characters, was '"
                    + ForeignText.safely(pattern) + "'");
        }
    }

    public boolean matches(String text) {
        String[] parts = pattern.split("\\*", -1);
        if (parts.length == 1) {
            return pattern.equals(text);
        }
        String first = parts[0];
        String last = parts[parts.length - 1];
        if (text.length() < first.length() + last.length() || !text.startsWith(first) || !text.endsWith(last)) {
            return false;
        }
        int at = first.length();
        int end = text.length() - last.length();
        for (int i = 1; i < parts.length - 1 && at >= 0; i++) {
            at = behind(parts[i], text, at, end); // the first place is the best: it leaves most for the rest
        }
        return at >= 0;
    }

    /** The place behind the first occurrence of a part in a range, or -1; after Knuth, Morris and Pratt, so never back in the text. */
    private static int behind(String part, String text, int from, int to) {
        int[] borders = borders(part);
        int matched = 0;
        for (int i = from; matched < part.length(); i++) {
            if (i == to) {
                return -1;
            }
            while (matched > 0 && part.charAt(matched) != text.charAt(i)) {
                matched = borders[matched - 1];
            }
            if (part.charAt(matched) == text.charAt(i)) {
                matched++;
            }
            if (matched == part.length()) {
                return i + 1;
            }
        }
        return from;
    }

    /** For every beginning of a part, the length of its longest end that is also its beginning. */
    private static int[] borders(String part) {
        int[] borders = new int[part.length()];
        int length = 0;
        for (int i = 1; i < part.length(); i++) {
            while (length > 0 && part.charAt(length) != part.charAt(i)) {
                length = borders[length - 1];
            }
            if (part.charAt(length) == part.charAt(i)) {
                length++;
            }
            borders[i] = length;
        }
        return borders;
    }
}
