package dev.holdfast.cli.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * Rows under titles, in columns as wide as their widest cell. On a screen too narrow for that, long texts lose their middle, then
 * whole columns are left out, the least important first; names and numbers are always whole. In a file nothing is cut. A column
 * in which nothing stands is left out.
 */
public final class Table<T> {
    private static final String GAP = "  ";
    /** A column is not made narrower than this: less says nothing. */
    private static final int MIN_WIDTH = 12;

    private final List<Column<T>> columns = new ArrayList<>();
    private List<String> dropping = List.of();
    private Set<String> wideOnly = Set.of();

    /** One that is flexible may be made narrower; names, times and numbers must be read whole. */
    private record Column<T>(String title, boolean flexible, Function<T, Cell> cell) {}

    /** How much room there is: no width if nobody cares; {@code wide} is everything, however long the lines are. */
    record Room(OptionalInt width, boolean wide, boolean colours) {}

    /** What stands in one place, in its colour if it has one. */
    public record Cell(String text, Optional<TextColour> ink) {
        /** In the colour of the terminal. */
        public static Cell of(String text) {
            return new Cell(Screen.clean(text), Optional.empty());
        }

        public static Cell of(TextColour ink, String text) {
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

    public Table<T> flexibleCells(String title, Function<T, Cell> cell) {
        columns.add(new Column<>(title, true, cell));
        return this;
    }

    public Table<T> cells(String title, Function<T, Cell> cell) {
        columns.add(new Column<>(title, false, cell));
        return this;
    }

    /** Leaves these out where there is no room, the first of them first. */
    public Table<T> dropping(String... titles) {
        dropping = List.of(titles);
        return this;
    }

    /** Shows these only to those who want everything. */
    public Table<T> wideOnly(String... titles) {
        wideOnly = Set.of(titles);
        return this;
    }

    void print(Collection<T> items, PrintWriter out, Room room) {
        List<List<Cell>> rows = items.stream()
                .map(item -> columns.stream()
                        .map(column -> column.cell().apply(item))
                        .toList())
                .toList();
        int[] widths = widths(rows);
        if (!room.wide()) {
            wideOnly.forEach(title -> drop(widths, title));
            room.width().ifPresent(most -> fit(widths, most));
        }
        line(
                out,
                widths,
                room.colours(),
                columns.stream()
                        .map(column -> Cell.of(TextColour.QUIET, column.title()))
                        .toList());
        rows.forEach(row -> line(out, widths, room.colours(), row));
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

    /** As many columns as have room if texts are cut; then no text is cut more than it must be. */
    private void fit(int[] widths, int most) {
        for (String title : dropping) {
            if (total(widths) - spare(widths) <= most) {
                break;
            }
            drop(widths, title);
        }
        narrow(widths, most);
    }

    /** How much narrower it could be. */
    private int spare(int[] widths) {
        int spare = 0;
        for (int i = 0; i < widths.length; i++) {
            spare += columns.get(i).flexible() ? Math.max(0, widths[i] - MIN_WIDTH) : 0;
        }
        return spare;
    }

    private void drop(int[] widths, String title) {
        for (int i = 0; i < widths.length; i++) {
            if (columns.get(i).title().equals(title)) {
                widths[i] = 0;
            }
        }
    }

    /** The last gives way first: it says what is least needed. */
    private void narrow(int[] widths, int most) {
        for (int i = widths.length - 1; i >= 0; i--) {
            int tooWide = total(widths) - most;
            if (tooWide > 0 && columns.get(i).flexible() && widths[i] > MIN_WIDTH) {
                widths[i] = Math.max(MIN_WIDTH, widths[i] - tooWide);
            }
        }
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
