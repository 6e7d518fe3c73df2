package dev.holdfast.cli.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Rows under titles, in columns as wide as their widest cell. On a screen too narrow for that the widest columns give way and
 * long cells lose their middle, so that no line wraps; in a file nothing is cut. A column in which nothing stands is left out.
 */
public final class Table<T> {
    private static final String GAP = "  ";
    /** A column is not made narrower than this, even if the line then wraps: less says nothing. */
    private static final int MIN_WIDTH = 8;

    private static final int LAST_WIDTH = 20;

    private final List<Column<T>> columns = new ArrayList<>();

    /** One that is flexible may be made narrower; times and numbers must be read whole. */
    private record Column<T>(String title, boolean flexible, Function<T, Cell> cell) {}

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

    /** Adds a column that is always as wide as what stands in it. */
    public Table<T> column(String title, Function<T, String> text) {
        return cells(title, text.andThen(Cell::of));
    }

    /** Adds a column that may be made narrower. */
    public Table<T> flexible(String title, Function<T, String> text) {
        return flexibleCells(title, text.andThen(Cell::of));
    }

    /** Adds a column with colours that may be made narrower. */
    public Table<T> flexibleCells(String title, Function<T, Cell> cell) {
        columns.add(new Column<>(title, true, cell));
        return this;
    }

    /** Adds a column with colours. */
    public Table<T> cells(String title, Function<T, Cell> cell) {
        columns.add(new Column<>(title, false, cell));
        return this;
    }

    /** Prints a row for each of these. */
    void print(Collection<T> items, PrintWriter out, OptionalInt width, boolean colours) {
        List<List<Cell>> rows = items.stream()
                .map(item -> columns.stream()
                        .map(column -> column.cell().apply(item))
                        .toList())
                .toList();
        int[] widths = widths(rows);
        width.ifPresent(most -> narrow(widths, most));
        line(
                out,
                widths,
                colours,
                columns.stream()
                        .map(column -> Cell.of(Ink.QUIET, column.title()))
                        .toList());
        rows.forEach(row -> line(out, widths, colours, row));
    }

    private int[] widths(List<List<Cell>> rows) {
        int[] widths = new int[columns.size()];
        for (List<Cell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Screen.width(row.get(i).text()));
            }
        }
        for (int i = 0; i < widths.length; i++) {
            widths[i] = widths[i] == 0
                    ? 0
                    : Math.max(widths[i], columns.get(i).title().length());
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
        return columns.get(column).flexible();
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
