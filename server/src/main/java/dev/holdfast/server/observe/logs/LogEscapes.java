package dev.holdfast.server.observe.logs;

/** Text from others inside a log line: it cannot end the line, nor steer a terminal. */
final class LogEscapes {
    private LogEscapes() {}

    /** Appends the text with control characters and line separators written as escapes. */
    static void append(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isControl(c)) {
                line.append(c);
            } else if (c == '\n') {
                line.append("\\n");
            } else if (c == '\r') {
                line.append("\\r");
            } else if (c == '\t') {
                line.append("\\t");
            } else {
                line.append(String.format("\\u%04x", (int) c));
            }
        }
    }

    /** Also the marks that change the direction of text: they can make a line read as another. */
    static boolean isControl(char c) {
        return c < ' '
                || (c >= 0x7f && c <= 0x9f)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
