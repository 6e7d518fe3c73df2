package dev.holdfast.server.auth;

/** Foreign text in our messages: short and printable, so that it cannot forge a log line. */
public final class ForeignText {
    private static final int MAX = 64;

    private ForeignText() {}

    /** The text with everything unprintable as {@code ?}, cut after {@value #MAX} characters. */
    public static String safely(String foreign) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < foreign.length() && i < MAX; i++) {
            char c = foreign.charAt(i);
            shown.append(c >= ' ' && c < 127 ? c : '?');
        }
        return foreign.length() > MAX ? shown + "…" : shown.toString();
    }
}
