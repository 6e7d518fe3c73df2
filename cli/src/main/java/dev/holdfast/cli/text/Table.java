package dev.holdfast.cli.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Rows under titles, in columns as wide as their widest cell. On a screen too narrow for that the widest columns give way and
 * long cells lose their middle, so that no line wraps; in a file nothing is cut. A column in which nothing stands is left out.
 */
public final class Table {
    private static final String GAP = "  ";
    /** A column is not made narrower than this, even if the line then wraps: less says nothing. */
    private static final int MIN_WIDTH = 8;

    private static final int LAST_WIDTH = 20;

    private final List<String> titles;
    private final Set<String> flexible = new HashSet<>();
    private final List<List<Cell>> rows = new ArrayList<>();

    public Table(String... titles) {
        this.titles = List.of(titles);
    }

    /** Columns that may be made narrower; times and numbers must be read whole. */
    public Table flexible(String... narrowed) {
        flexible.addAll(List.of(narrowed));
        return this;
    }

    /**
     * What stands in one place.
     *
     * @param text as it is
     * @param ink its colour, if it has one
     */
    public record Cell(String text, Optional<Ink> ink) {
        /** In the colour of the terminal. */
        public static Cell of(String text) {
            return new Cell(Screen.clean(text), Optional.empty());
        }

        /** In this colour. */
        public static Cell of(Ink ink, String text) {
            return new Cell(Screen.clean(text), Optional.of(ink));
        }
    }

    /** Adds a row, a cell for each title. */
    public void row(Cell... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException(cells.length + " cells under " + titles.size() + " titles");
        }
        rows.add(Arrays.asList(cells));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    void print(PrintWriter out, OptionalInt width, boolean colours) {
        int[] widths = widths();
        width.ifPresent(most -> narrow(widths, most));
        line(
                out,
                widths,
                colours,
                titles.stream().map(title -> Cell.of(Ink.QUIET, title)).toList());
        for (List<Cell> row : rows) {
            line(out, widths, colours, row);
        }
    }

    private int[] widths() {
        int[] widths = new int[titles.size()];
        for (List<Cell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Screen.width(row.get(i).text()));
            }
        }
        for (int i = 0; i < widths.length; i++) {
            widths[i] = widths[i] == 0 ? 0 : Math.max(widths[i], titles.get(i).length());
        }
        return widths;
    }

    /** The last column gives way first, as it says what is least needed; then whichever is widest. */
    private void narrow(int[] widths, int most) {
        int last = widths.length - 1;
        while (total(widths) > most && isFlexible(last) && widths[last] > LAST_WIDTH) {
            widths[last]--;
        }
        while (total(widths) > most) {
            int widest = widest(widths);
            if (widths[widest] <= MIN_WIDTH || !isFlexible(widest)) {
                return;
            }
            widths[widest]--;
        }
    }

    private boolean isFlexible(int column) {
        return flexible.contains(titles.get(column));
    }

    private int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            boolean better = isFlexible(i) && (!isFlexible(widest) || widths[i] > widths[widest]);
            widest = better ? i : widest;
        }
        return widest;
    }

    private static int total(int[] widths) {
        int total = -GAP.length();
        for (int width : widths) {
            total += width == 0 ? 0 : width + GAP.length();
        }
        return total;
    }

    private static void line(PrintWriter out, int[] widths, boolean colours, List<Cell> cells) {
        StringBuilder line = new StringBuilder();
        int blanks = 0; // written only before another cell: no line ends in blanks
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                Cell cell = cells.get(i);
                String text = Screen.cut(cell.text(), widths[i]);
                if (!text.isEmpty()) {
                    line.append(" ".repeat(blanks));
                    line.append(
                            colours && cell.ink().isPresent() ? cell.ink().get().on(text) : text);
                    blanks = 0;
                }
                blanks += widths[i] - Screen.width(text) + GAP.length();
            }
        }
        out.println(line);
    }
}
