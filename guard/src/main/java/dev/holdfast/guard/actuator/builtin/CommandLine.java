package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program and its arguments, with placeholders. No shell reads it: a placeholder's value stays inside its argument, whatever
 * it contains.
 */
record CommandLine(List<String> words) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");
    private static final List<String> PLACEHOLDERS = List.of("db_identifier", "token", "action", "types", "reason");

    /** Words between blanks, or a JSON list of texts where a word has a blank in it. */
    static CommandLine of(ActuatorSettings settings, String key, String what) {
        String form = "words, or a JSON list of texts with the program first";
        List<String> words = settings.words(key, settings.required(key, what), "\\s+", form);
        if (words.isEmpty()) {
            settings.problem(key, "must be " + form);
        } else if (PLACEHOLDER.matcher(words.get(0)).find()) {
            settings.problem(key, "must name its program without a placeholder");
        }
        Matcher matcher = PLACEHOLDER.matcher(String.join(" ", words));
        while (matcher.find()) {
            if (!PLACEHOLDERS.contains(matcher.group(1))) {
                settings.problem(
                        key,
                        "has the unknown placeholder " + matcher.group() + "; known placeholders are " + PLACEHOLDERS);
            }
        }
        return new CommandLine(List.copyOf(words));
    }

    List<String> filled(ActTarget target, String action) throws ActFailure {
        List<String> filled = new ArrayList<>();
        for (String word : words) {
            String value = PLACEHOLDER
                    .matcher(word)
                    .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), target, action)));
            // A value that begins like an option must not be taken for one.
            if (value.startsWith("-") && !word.startsWith("-")) {
                throw new ActFailure("'" + value + "' would be taken for an option of " + words.get(0)
                        + "; write the placeholder behind one, like --db={db_identifier}");
            }
            if (value.indexOf('\0') >= 0) {
                throw new ActFailure("an argument for " + words.get(0) + " has a zero byte in it");
            }
            filled.add(value);
        }
        return filled;
    }

    private static String value(String placeholder, ActTarget target, String action) {
        return switch (placeholder) {
            case "db_identifier" -> target.dbIdentifier();
            case "token" -> Long.toString(target.fencingToken());
            case "action" -> action;
            case "types" -> String.join(",", target.types());
            case "reason" -> target.reason();
            default -> "";
        };
    }
}
