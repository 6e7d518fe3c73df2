package dev.holdfast.server.config.values;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Text as it stands inside a list or a map of YAML: in quotes, unless nobody could take it for anything else. */
public final class FlowText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    /** Plain words that some readers of YAML take for something else than text. */
    private static final Set<String> NOT_TEXT = Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

    private FlowText() {}

    public static String of(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (Character.isISOControl(c)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
