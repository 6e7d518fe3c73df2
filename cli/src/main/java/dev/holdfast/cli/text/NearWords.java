package dev.holdfast.cli.text;

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
                .filter(it -> distance(meant, letters(it)) <= enough)
                .sorted(Comparator.comparingInt(it -> distance(meant, letters(it))))
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

    /** How many letters must be added, removed, replaced or swapped with their neighbour. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
