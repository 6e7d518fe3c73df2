package dev.holdfast.cli.exec;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.model.LockKey;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;

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
        return new WaitingLine(
                err,
                key,
                owner,
                Terminal.is(Terminal.STDERR)
                        ? Optional.of(Terminal.width(Terminal.STDERR).orElse(USUAL_WIDTH))
                        : Optional.empty());
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
                + " for " + Ages.between(holder.grantedAt(), view.at())
                + holder.expiresAt()
                        .map(end -> ", ends in " + Ages.between(view.at(), end) + " unless renewed")
                        .orElse(", without end")
                + (holder.stale() ? ", STALE" : "");
    }
}
