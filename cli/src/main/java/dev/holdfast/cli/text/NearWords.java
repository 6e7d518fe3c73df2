package dev.holdfast.cli.text;

import dev.holdfast.internal.parts.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

public final class NearWords {
    /** Nothing that can be meant is longer; comparing longer words would only cost time. */
    private static final int LONGEST = 60;

    private static final int MOST = 3;

    private NearWords() {}

    /** Words near enough for a typing error, nearest first, at most three; else those that begin so. */
    public static List<String> near(String word, Collection<String> known) {
        String meant = letters(word);
        if (meant.isEmpty() || meant.length() > LONGEST) {
            return List.of();
        }
        int enough = meant.length() < 3 ? 1 : Math.max(1, (meant.length() + 1) / 3);
        List<String> near = known.stream()
                .distinct()
                .filter(it -> EditDistance.between(meant, letters(it)) <= enough)
                .sorted(Comparator.comparingInt(it -> EditDistance.between(meant, letters(it))))
                .toList();
        if (near.isEmpty() && meant.length() > 1) {
            near = known.stream()
                    .distinct()
                    .filter(it -> letters(it).startsWith(meant))
                    .toList();
        }
        return near.subList(0, Math.min(MOST, near.size()));
    }

    /** How a message ends about a word that is not known: {@code " Did you mean 'ls'?"}, or nothing. */
    public static String ending(String word, Collection<String> known) {
        return ending(near(word, known));
    }

    /** The same for what was probably meant. */
    public static String ending(List<String> meant) {
        if (meant.isEmpty()) {
            return "";
        }
        String last = meant.get(meant.size() - 1);
        String others = String.join("', '", meant.subList(0, meant.size() - 1));
        return " Did you mean '" + (others.isEmpty() ? "" : others + "' or '") + last + "'?";
    }

    private static String letters(String word) {
        return word.toLowerCase(Locale.ROOT).replaceFirst("^-+", "");
    }
}
