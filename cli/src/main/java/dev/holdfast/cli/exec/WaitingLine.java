package dev.holdfast.cli.exec;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.LockKey;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Says what is waited for: on a terminal one line that is rewritten in place, elsewhere a line now and then. Times are
 * differences of the store's clock, so a wrong clock here does not show.
 *
 * <p>Safe for any thread.
 */
final class WaitingLine {
    private static final Duration ON_TERMINAL = Duration.ofSeconds(2);
    private static final Duration IN_A_LOG = Duration.ofMinutes(1);
    private static final int USUAL_WIDTH = 80;
    private static final String CLEAR_TO_END = "\u001b[K";

    private final PrintWriter err;
    private final LockKey key;
    private final String owner;
    private final Optional<Integer> width;
    private boolean over;

    private WaitingLine(PrintWriter err, LockKey key, String owner, Optional<Integer> width) {
        this.err = err;
        this.key = key;
        this.owner = owner;
        this.width = width;
    }

    /** On what the error output of this process is. */
    static WaitingLine on(PrintWriter err, LockKey key, String owner) {
        return new WaitingLine(err, key, owner, isTerminal() ? Optional.of(terminalWidth()) : Optional.empty());
    }

    /** How often a look is worth its cost. */
    Duration every() {
        return width.isPresent() ? ON_TERMINAL : IN_A_LOG;
    }

    synchronized void show(LockView view) {
        if (over) {
            return;
        }
        String text = text(view, key, owner);
        if (width.isPresent()) {
            // A line that wraps could not be rewritten.
            String fitting = text.length() < width.get() ? text : text.substring(0, Math.max(0, width.get() - 2)) + "…";
            err.print("\r" + fitting + CLEAR_TO_END);
            err.flush();
        } else {
            err.println("holdfast: " + text);
        }
    }

    /** Leaves the terminal as it was. */
    synchronized void end() {
        if (!over && width.isPresent()) {
            err.print("\r" + CLEAR_TO_END);
            err.flush();
        }
        over = true;
    }

    /** Who is in the way, since when and until when, and whose turn comes before ours. */
    static String text(LockView view, LockKey key, String owner) {
        String place = view.waiters().stream()
                .filter(waiter -> waiter.owner().equals(owner) && waiter.paths().contains(key.path()))
                .findFirst()
                .map(own -> "place " + own.position() + " of " + view.waiters().size())
                .orElse(view.waiters().size() + " waiting");
        String why = view.holders().stream()
                .filter(holder -> holder.paths().stream().anyMatch(key.path()::overlaps))
                .findFirst()
                .map(holder -> held(holder, view))
                .orElse("free, others are first");
        return "waiting for " + key + ", " + place + ": " + why;
    }

    private static String held(Holder holder, LockView view) {
        String others = view.holders().size() > 1 ? " and " + (view.holders().size() - 1) + " more" : "";
        return "held by " + holder.owner()
                + (holder.reason().isEmpty() ? "" : " (" + holder.reason() + ")")
                + others
                + " for " + spoken(Duration.between(holder.grantedAt(), view.at()))
                + holder.expiresAt()
                        .map(end -> ", ends in " + spoken(Duration.between(view.at(), end)) + " unless renewed")
                        .orElse(", without end")
                + (holder.stale() ? ", STALE" : "");
    }

    /** As people write times: the two largest parts. */
    static String spoken(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
        }
        return seconds < 86_400
                ? seconds / 3_600 + "h" + (seconds / 60 % 60 == 0 ? "" : seconds / 60 % 60 + "m")
                : seconds / 86_400 + "d" + (seconds / 3_600 % 24 == 0 ? "" : seconds / 3_600 % 24 + "h");
    }

    /** Java has no way to ask this of the error output alone; the command test has. */
    private static boolean isTerminal() {
        try {
            Process test = new ProcessBuilder("test", "-t", "2").inheritIO().start();
            return test.waitFor(5, TimeUnit.SECONDS) && test.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static int terminalWidth() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readNBytes(50), StandardCharsets.UTF_8)
                    .trim()
                    .split(" ", 2);
            int columns = size.length == 2 && size[1].matches("[0-9]{1,4}") ? Integer.parseInt(size[1]) : 0;
            return columns > 0 ? columns : USUAL_WIDTH;
        } catch (IOException e) {
            return USUAL_WIDTH;
        }
    }
}
