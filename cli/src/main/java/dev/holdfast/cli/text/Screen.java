package dev.holdfast.cli.text;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Text as a terminal shows it: how many columns it takes, and what must not reach it. */
public final class Screen {
    private static final Set<UnicodeScript> WIDE =
            Set.of(UnicodeScript.HAN, UnicodeScript.HANGUL, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);
    private static final int FIRST_EMOJI = 0x1F300;
    private static final int LAST_EMOJI = 0x1FAFF;

    private Screen() {}

    /** Without what moves the cursor or turns the direction of writing: others chose these texts. */
    public static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> clean.appendCodePoint(isHarmless(c) ? c : '?'));
        return clean.toString();
    }

    private static boolean isHarmless(int c) {
        boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
        return !Character.isISOControl(c) && !turns && c != 0x2028 && c != 0x2029;
    }

    public static int width(String text) {
        return text.codePoints().map(Screen::width).sum();
    }

    private static int width(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        boolean emoji = c >= FIRST_EMOJI && c <= LAST_EMOJI;
        return c > 0x1100 && (emoji || WIDE.contains(UnicodeScript.of(c)) || (c >= 0xFF01 && c <= 0xFF60)) ? 2 : 1;
    }

    /** The text in at most so many columns; if it is longer, its middle is left out: names differ at their ends. */
    static String cut(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        int[] all = text.codePoints().toArray();
        int tail = (columns - 1) / 2;
        int from = all.length;
        for (int used = 0; from > 0 && used + width(all[from - 1]) <= tail; from--) {
            used += width(all[from - 1]);
        }
        int head = columns - 1 - width(new String(all, from, all.length - from));
        int to = 0;
        for (int used = 0; to < from && used + width(all[to]) <= head; to++) {
            used += width(all[to]);
        }
        return new String(all, 0, to) + "…" + new String(all, from, all.length - from);
    }

    /** The text in at most so many columns; if it is longer, its end is left out. */
    public static String start(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        int[] all = text.codePoints().toArray();
        int to = 0;
        for (int used = 0; to < all.length && used + width(all[to]) < columns; to++) {
            used += width(all[to]);
        }
        return new String(all, 0, to) + "…";
    }

    /** The text in lines of at most so many columns, broken between words. */
    public static List<String> wrapped(String text, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && width(line.toString()) + 1 + width(word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
