package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import java.util.List;
import java.util.stream.Collectors;

/** Locks as a table: a line for each holder, and one for a lock without any. */
public final class LockLines {
    private LockLines() {}

    static Table of(List<LockView> locks, boolean namespaces) {
        Table table = new Table(
                        "NAMESPACE",
                        "NAME",
                        "PATH",
                        "STATE",
                        "MODE",
                        "HOLDER",
                        "HELD",
                        "HEARTBEAT",
                        "ENDS",
                        "WAITING",
                        "REASON")
                .flexible("NAME", "PATH", "HOLDER", "REASON");
        for (LockView lock : locks) {
            if (lock.isFree()) {
                free(table, lock, namespaces);
            }
            for (Holder holder : lock.holders()) {
                held(table, lock, holder, namespaces);
            }
        }
        return table;
    }

    private static void free(Table table, LockView lock, boolean namespaces) {
        Cell none = Cell.of("");
        boolean wanted = !lock.waiters().isEmpty();
        table.row(
                namespace(lock, namespaces),
                Cell.of(lock.key().name()),
                none,
                wanted ? Cell.of(Ink.CAREFUL, "waiting") : Cell.of(Ink.QUIET, "free"),
                none,
                none,
                none,
                none,
                none,
                waiting(lock),
                none);
    }

    private static void held(Table table, LockView lock, Holder holder, boolean namespaces) {
        Mode mode = holder.mode();
        table.row(
                namespace(lock, namespaces),
                Cell.of(lock.key().name()),
                Cell.of(paths(holder.paths())),
                state(holder),
                Cell.of(mode.kind() == Mode.Kind.EXCLUSIVE ? "" : mode.toString()),
                Cell.of(holder.owner()),
                Cell.of(Ages.between(holder.grantedAt(), lock.at())),
                heartbeat(lock, holder),
                end(lock, holder),
                waiting(lock),
                Cell.of(holder.reason()));
    }

    private static Cell namespace(LockView lock, boolean namespaces) {
        return Cell.of(namespaces ? lock.key().namespace() : "");
    }

    public static Cell state(Holder holder) {
        return holder.stale() ? Cell.of(Ink.BAD, "stale") : Cell.of(Ink.GOOD, "held");
    }

    public static Cell end(LockView lock, Holder holder) {
        return Cell.of(holder.expiresAt()
                .map(end -> "in " + Ages.between(lock.at(), end))
                .orElse("never"));
    }

    public static Cell heartbeat(LockView lock, Holder holder) {
        String ago = Ages.between(holder.renewedAt(), lock.at()) + " ago";
        return holder.stale() ? Cell.of(Ink.BAD, ago) : Cell.of(ago);
    }

    public static Cell waiting(LockView lock) {
        int waiting = lock.waiters().size();
        return waiting == 0 ? Cell.of("") : Cell.of(Ink.CAREFUL, Integer.toString(waiting));
    }

    /** The parts that are held; nothing for the whole. */
    public static String paths(List<LockPath> paths) {
        return paths.stream().map(LockPath::value).collect(Collectors.joining(","));
    }
}
