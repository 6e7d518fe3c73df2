package dev.holdfast.documents;

import java.util.regex.Pattern;

/**
 * What documents may be called: segments joined by {@code /}, so that a name is also the name of a file below a directory and of
 * an object in a bucket, and no two names are one file.
 */
public final class DocumentNames {
    /** Longest name: S3 takes 1 024 bytes, with its prefix. */
    public static final int MAX_NAME = 700;
    /** Longest segment: file systems take 255 bytes, with an ending. */
    public static final int MAX_SEGMENT = 200;

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._:@=+,#~-]+");

    private DocumentNames() {}

    /** Returns the name if it is allowed. */
    public static String checked(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw refused(name, "must have 1 to " + MAX_NAME + " characters, has " + name.length());
        }
        for (String segment : name.split("/", -1)) {
            if (segment.isEmpty() || segment.length() > MAX_SEGMENT) {
                throw refused(name, "must have segments of 1 to " + MAX_SEGMENT + " characters");
            }
            if (segment.startsWith(".")) {
                throw refused(name, "must not have a segment that starts with '.'");
            }
            if (!SEGMENT.matcher(segment).matches()) {
                throw refused(name, "may use only letters, digits and . _ : @ = + , # ~ - in its segments");
            }
        }
        return name;
    }

    /** The last segment. */
    public static String leaf(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static IllegalArgumentException refused(String name, String bound) {
        String shown = name.length() <= 80 ? name : name.substring(0, 77) + "...";
        return new IllegalArgumentException("document name '" + shown.replaceAll("\\p{Cntrl}", "?") + "' " + bound);
    }
}
