package dev.holdfast.server.config.settings;

import dev.holdfast.internal.parts.EditDistance;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The setting somebody probably meant. */
public final class Suggestion {
    /** No key is longer; comparing longer ones would only cost time. */
    private static final int LONGEST = 100;

    private Suggestion() {}

    /** How a message ends about an unknown key; {@code spelling} turns the name of a setting into that of the source. */
    public static String ending(String key, UnaryOperator<String> spelling) {
        return nearest(key)
                .map(setting -> "; did you mean " + spelling.apply(setting.name()) + "?")
                .orElse("; all keys are listed by: holdfast config keys");
    }

    /** The nearest name, if it is near enough for a typing error; or the setting with that last word, or one near it. */
    static Optional<Setting<?>> nearest(String key) {
        String letters = SettingsCatalog.letters(key);
        if (letters.length() > LONGEST) {
            return Optional.empty();
        }
        return nearest(letters, SettingsCatalog::letters)
                .or(() -> byLastWord(letters))
                .or(() -> byLastSegment(key));
    }

    /** The setting of whose name this part is nearest, if so few letters differ that they may be typing errors. */
    private static Optional<Setting<?>> nearest(String word, UnaryOperator<String> part) {
        int enough = Math.max(1, word.length() / 4);
        return SettingsCatalog.ALL.stream()
                .filter(setting -> EditDistance.between(word, part.apply(setting.name())) <= enough)
                .min(Comparator.comparingInt(setting -> EditDistance.between(word, part.apply(setting.name()))));
    }

    /** Of {@code http.prot} the last word is enough to see what was meant; its section was only guessed. */
    private static Optional<Setting<?>> byLastSegment(String key) {
        String word = lastSegment(key);
        int shortest = key.contains(".") ? 4 : 3; // at the end of a longer name a short word says little
        return word.length() < shortest ? Optional.empty() : nearest(word, Suggestion::lastSegment);
    }

    private static String lastSegment(String key) {
        return SettingsCatalog.letters(key.substring(key.lastIndexOf('.') + 1));
    }

    private static Optional<Setting<?>> byLastWord(String letters) {
        return SettingsCatalog.ALL.stream()
                .filter(setting -> letters.length() > 2
                        && SettingsCatalog.letters(setting.name()).endsWith(letters))
                .findFirst();
    }

    public static String asVariable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }
}
