package dev.holdfast.guard.actuator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which resources an actuator may act on: identifiers, with {@code *} for any text. Without the setting {@code allow} it may act on
 * all; with an empty list on none.
 *
 * @param patterns what is allowed; empty if nothing is said
 */
record AllowList(Optional<List<String>> patterns) {
    /** More than one actuator ever needs. */
    private static final int MOST = 1_000;

    /** Words between blanks or commas, or a JSON list of texts. */
    static AllowList of(ActuatorSettings settings) {
        Optional<String> given = settings.optional("allow");
        if (given.isEmpty()) {
            return new AllowList(Optional.empty());
        }
        List<String> words =
                settings.words("allow", given.get(), "[\\s,]+", "a list of identifiers, with * for any text");
        List<String> patterns = new ArrayList<>();
        for (String word : words) {
            if (word.matches("[A-Za-z0-9*][A-Za-z0-9*._:\\[\\]-]{0,255}")) {
                patterns.add(word.toLowerCase(Locale.ROOT));
            } else {
                settings.problem(
                        "allow",
                        "has '" + word + "', which is not an identifier such as i-0abc1234, orders-db or *.db:5432");
            }
        }
        if (words.size() > MOST) {
            settings.problem("allow", "has " + words.size() + " entries; at most " + MOST + " are allowed");
        }
        return new AllowList(Optional.of(List.copyOf(patterns)));
    }

    boolean isOpen() {
        return patterns.isEmpty();
    }

    /** Whether this identifier is on it; identifiers are in lower case. */
    boolean allows(String dbIdentifier) {
        String id = dbIdentifier.toLowerCase(Locale.ROOT);
        return patterns.map(all -> all.stream().anyMatch(pattern -> matches(pattern, id)))
                .orElse(true);
    }

    /** What is between two stars is looked for from where the last was found: never longer than the one times the other. */
    private static boolean matches(String pattern, String text) {
        String[] parts = pattern.split("\\*", -1);
        String end = parts[parts.length - 1];
        if (parts.length == 1 || !text.startsWith(parts[0])) {
            return text.equals(pattern);
        }
        int at = parts[0].length();
        for (int i = 1; i < parts.length - 1 && at >= 0; i++) {
            int found = text.indexOf(parts[i], at);
            at = found < 0 ? -1 : found + parts[i].length();
        }
        return at >= 0 && text.length() - end.length() >= at && text.endsWith(end);
    }
}
