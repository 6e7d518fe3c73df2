package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Locks as a table: a line for each holder, and one for a lock without any. */
public final class LockLines {
    private LockLines() {}

    /** A line; without a holder if nobody holds the lock. */
    public record Line(LockView lock, Optional<Holder> holder) {
        private String held(Function<Holder, String> what) {
            return holder.map(what).orElse("");
        }

        private Cell state() {
            if (holder.isPresent()) {
                return holder.get().stale() ? Cell.of(TextColour.BAD, "stale") : Cell.of(TextColour.GOOD, "held");
            }
            return lock.waiters().isEmpty()
                    ? Cell.of(TextColour.QUIET, "free")
                    : Cell.of(TextColour.CAREFUL, "waiting");
        }

        private Instant now() {
            return lock.at();
        }

        private Cell heartbeat(TimesOption times) {
            String ago = held(it -> times.ago(it.renewedAt(), now()));
            return holder.filter(Holder::stale).isPresent() ? Cell.of(TextColour.BAD, ago) : Cell.of(ago);
        }

        private Cell waiting() {
            int waiting = lock.waiters().size();
            return waiting == 0 ? Cell.of("") : Cell.of(TextColour.CAREFUL, Integer.toString(waiting));
        }
    }

    /** A line for each holder of these locks, and one for a lock without any. */
    public static List<Line> of(Collection<LockView> locks) {
        return locks.stream()
                .flatMap(lock -> lock.isFree()
                        ? Stream.of(new Line(lock, Optional.empty()))
                        : lock.holders().stream().map(holder -> new Line(lock, Optional.of(holder))))
                .toList();
    }

    static Table<Line> table(TimesOption times) {
        return with(
                new Table<Line>()
                        .column(
                                "KEY",
                                it -> KeyText.of(
                                        it.lock().key(),
                                        it.holder().map(Holder::paths).orElse(List.of()))),
                times);
    }

    /** What is said of a lock behind its names. */
    public static Table<Line> with(Table<Line> names, TimesOption times) {
        return names.cells("STATE", Line::state)
                .column("MODE", it -> it.held(holder -> mode(holder.mode())))
                .flexible("HOLDER", it -> it.held(Holder::owner))
                .column("HELD", it -> it.held(holder -> times.since(holder.grantedAt(), it.now())))
                .cells("HEARTBEAT", it -> it.heartbeat(times))
                .column(
                        "ENDS",
                        it -> it.held(holder -> holder.expiresAt()
                                .map(end -> times.until(end, it.now()))
                                .orElse("never")))
                .cells("WAITING", Line::waiting)
                .column("TOKEN", it -> it.held(holder -> holder.token().toString()))
                .flexible("REASON", it -> it.held(Holder::reason))
                .dropping("HEARTBEAT", "REASON", "MODE", "ENDS", "HELD", "WAITING", "HOLDER")
                .wideOnly("TOKEN");
    }

    private static String mode(Mode mode) {
        return mode.kind() == Mode.Kind.EXCLUSIVE ? "" : mode.toString();
    }

    /** The parts that are held; nothing for the whole. */
    public static String paths(List<LockPath> paths) {
        return paths.stream().map(LockPath::value).collect(Collectors.joining(","));
    }
}
