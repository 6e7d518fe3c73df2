package dev.holdfast.cli.exec;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.model.LockKey;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Says what is waited for: in the foreground of a terminal one line that is rewritten in place, elsewhere a line now and then. Times are
 * differences of the store's clock, so a wrong clock here does not show.
 *
 * <p>Safe for any thread.
 */
final class WaitingLine {
    private static final Duration ON_TERMINAL = Duration.ofSeconds(2);
    private static final Duration IN_A_LOG = Duration.ofMinutes(1);
    /** A look that comes a little early is not worth another minute. */
    private static final Duration JITTER = Duration.ofSeconds(1);

    private static final int USUAL_WIDTH = 80;
    private static final String CLEAR_TO_END = "\u001b[K";

    private final PrintWriter err;
    private final LockKey key;
    private final String owner;
    private final Optional<Integer> width;
    private final long start = System.nanoTime();
    private boolean over;
    private boolean drawn;
    private Optional<Long> lastLine = Optional.empty();

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
        Words words = words(view, key, owner, Duration.ofNanos(System.nanoTime() - start));
        if (width.isPresent() && Terminal.isInForeground()) {
            // A line that wraps could not be rewritten.
            err.print("\r" + words.within(width.get() - 1) + CLEAR_TO_END);
            err.flush();
            drawn = true;
        } else if (isTimeForALine()) {
            err.println("holdfast: " + words.all());
        }
    }

    /** Beside other programs at the same terminal a line now and then is enough. */
    private boolean isTimeForALine() {
        long now = System.nanoTime();
        boolean due = lastLine.map(last -> now - last >= IN_A_LOG.minus(JITTER).toNanos())
                .orElse(true);
        lastLine = due ? Optional.of(now) : lastLine;
        return due;
    }

    synchronized void end() {
        if (!over && drawn && Terminal.isInForeground()) {
            err.print("\r" + CLEAR_TO_END);
            err.flush();
        }
        over = true;
    }

    /**
     * Who is in the way, since when and until when, and whose turn comes before ours. Several of one name may wait: ours is the one
     * that has waited about as long as we have.
     */
    static Words words(LockView view, LockKey key, String owner, Duration waited) {
        Optional<LockView.Waiting> own = view.waiters().stream()
                .filter(waiter -> waiter.owner().equals(owner) && waiter.paths().contains(key.path()))
                .min(Comparator.comparing(waiter -> Duration.between(waiter.since(), view.at())
                        .minus(waited)
                        .abs()));
        int all = view.waiters().size();
        Optional<Holder> holder = view.holders().stream()
                .filter(it -> it.paths().stream().anyMatch(key.path()::overlaps))
                .findFirst();
        return new Words(
                KeyText.of(key),
                own.map(it -> "place " + it.position() + " of " + all).orElse(all + " waiting"),
                holder.map(it -> who(it, view)).orElse("free, others are first"),
                holder.map(it -> when(it, view)).orElse(""),
                holder.map(Holder::reason)
                        .filter(it -> !it.isEmpty())
                        .map(it -> " (" + it + ")")
                        .orElse(""));
    }

    /** What is said; {@code why} is in parentheses. */
    record Words(String key, String place, String who, String when, String why) {
        String all() {
            return Screen.clean("waiting for " + key + ", " + place + ": " + who + when + why);
        }

        /** In at most so many columns: what matters less is left out before anything is cut. */
        String within(int columns) {
            String brief = Screen.clean(key + ", " + place + ": " + who.replaceFirst("^held by ", "") + when);
            return Stream.of(all(), Screen.clean("waiting for " + key + ", " + place + ": " + who + when), brief)
                    .filter(it -> Screen.width(it) <= columns)
                    .findFirst()
                    .orElseGet(() -> Screen.start(brief, columns));
        }
    }

    private static String who(Holder holder, LockView view) {
        return "held by " + holder.owner()
                + (view.holders().size() > 1 ? " and " + (view.holders().size() - 1) + " more" : "");
    }

    private static String when(Holder holder, LockView view) {
        return (holder.stale() ? ", STALE" : "")
                + " for " + Ages.between(holder.grantedAt(), view.at())
                + holder.expiresAt()
                        .map(end -> ", ends in " + Ages.between(view.at(), end))
                        .orElse(", without end");
    }
}
