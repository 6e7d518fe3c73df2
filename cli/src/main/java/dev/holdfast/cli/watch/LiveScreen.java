package dev.holdfast.cli.watch;

import dev.holdfast.cli.text.Terminal;
import java.io.PrintWriter;
import java.util.List;

/**
 * A picture that is drawn over itself without flicker, on a screen of its own: when it ends, the terminal is as it was. Where there
 * is no terminal in the foreground, pictures follow each other, and one that is the same as the last is not printed.
 */
final class LiveScreen implements AutoCloseable {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l"; // another screen, no cursor, no wrapping
    private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE =
            "\u001b[2K"; // before it is written: behind a full line its last sign would go, too
    private static final String CLEAR_REST = "\u001b[J";
    private static final int USUAL_ROWS = 24;

    private final PrintWriter out;
    private final boolean live = Terminal.is(Terminal.STDOUT);
    private final Thread restore = new Thread(this::leave);
    private List<String> last = List.of();
    private boolean entered;

    LiveScreen(PrintWriter out) {
        this.out = out;
        if (live) {
            Runtime.getRuntime().addShutdownHook(restore); // also after Ctrl-C
        }
    }

    /** Draws a picture: what stands above it, which is not compared, and its lines. */
    synchronized void draw(List<String> head, List<String> lines) {
        if (!live) {
            if (!lines.equals(last)) {
                head.forEach(out::println);
                lines.forEach(out::println);
                out.println();
            }
        } else if (Terminal.isInForeground()) {
            drawOver(head, lines);
        }
        last = lines;
        out.flush();
    }

    private void drawOver(List<String> head, List<String> lines) {
        StringBuilder picture = new StringBuilder(entered ? "" : ENTER).append(HOME);
        entered = true;
        int rows = Terminal.rows().orElse(USUAL_ROWS)
                - head.size()
                - 2; // the last one stays free, or the screen would roll
        head.forEach(line -> picture.append(CLEAR_LINE).append(line).append('\n'));
        boolean all = lines.size() <= rows + 1;
        int shown = all ? lines.size() : Math.max(0, rows);
        for (int i = 0; i < shown; i++) {
            picture.append(CLEAR_LINE).append(lines.get(i)).append(i < shown - 1 || !all ? "\n" : "");
        }
        picture.append(all ? "" : CLEAR_LINE + "… and " + (lines.size() - shown) + " more");
        out.print(picture.append("\n").append(CLEAR_REST));
    }

    private synchronized void leave() {
        if (entered) {
            entered = false;
            out.print(LEAVE);
            last.forEach(out::println); // what was seen last stays to be read
            out.flush();
        }
    }

    @Override
    public void close() {
        leave();
        if (live) {
            try {
                Runtime.getRuntime().removeShutdownHook(restore);
            } catch (IllegalStateException e) {
                return; // it is being run: Ctrl-C was first
            }
        }
    }
}
