package dev.holdfast.model;

/** The bounds of every text that becomes part of a record, and the one way a breach of them is reported. */
public final class Names {
    /** Longest namespace. Short, because it is part of every key, metric label and log line. */
    public static final int MAX_NAMESPACE = 64;
    /** Longest lock name. Long enough for a URL or an ARN; DynamoDB's key limit of 2 KB stays far away. */
    public static final int MAX_NAME = 512;
    /** Longest owner label and longest reason. */
    public static final int MAX_TEXT = 512;

    private Names() {}

    static String namespace(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isWordOr(value.charAt(i), "_.-")) {
                throw refused("namespace", value, "may use only letters, digits, '_', '.' and '-'");
            }
        }
        return sized("namespace", value, 1, MAX_NAMESPACE);
    }

    static String name(String value) {
        return printable("lock name", sized("lock name", value, 1, MAX_NAME));
    }

    /** A label shown to people (owner, actor, reason): printable, and not so long that a record grows heavy. */
    public static String text(String what, String value, int min) {
        return printable(what, sized(what, value, min, MAX_TEXT));
    }

    static String sized(String what, String value, int min, int max) {
        if (value.length() < min || value.length() > max) {
            throw refused(what, value, "must have " + min + " to " + max + " characters, has " + value.length());
        }
        return value;
    }

    static String printable(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || (c >= 0x7f && c <= 0x9f) || c == '\u2028' || c == '\u2029') {
                throw refused(what, value, "may use only printable characters; character " + (i + 1) + " is not");
            }
        }
        return unicode(what, value);
    }

    /** Half a surrogate pair has no encoding, and would come back as something else. */
    static String unicode(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == value.length()
                        || !Character.isLowSurrogate(value.charAt(i + 1))) {
                    throw refused(what, value, "is not valid Unicode: half a surrogate pair at character " + (i + 1));
                }
                i++;
            }
        }
        return value;
    }

    static boolean isWordOr(char c, String others) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.indexOf(c) >= 0;
    }

    /** The exception every value of the model throws: what, which, and the bound. */
    static IllegalArgumentException refused(String what, String value, String bound) {
        return new IllegalArgumentException(what + " '" + shown(value) + "' " + bound);
    }

    /** Somebody else's text in a message of ours: short and harmless. */
    static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 77) + "...";
    }
}
