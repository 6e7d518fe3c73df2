package dev.holdfast.cli.state;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.cli.locks.LockLines;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.versions.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The locks of stacks that are held or waited for. */
final class StackLockTable {
    /** More than this at once is not what people look at. */
    private static final int MOST = 1_000_000;

    private final Map<Stack, LockView> locks;

    private StackLockTable(Map<Stack, LockView> locks) {
        this.locks = locks;
    }

    /** Finds the locks of the stacks that are wanted. */
    static StackLockTable of(Inspector inspector, Predicate<Stack> wanted) {
        Map<Stack, LockView> found = new TreeMap<>();
        ScanRequest request = new ScanRequest(
                        Optional.of(Stack.NAMESPACE),
                        "stack:",
                        ScanRequest.Which.ALL,
                        Optional.empty(),
                        ScanRequest.MAX_LIMIT)
                .busy();
        while (true) {
            Inspector.Locks page = inspector.list(request);
            for (LockView lock : page.locks()) {
                Stack.of(lock.key())
                        .filter(wanted)
                        .filter(it -> !lock.isFree() || !lock.waiters().isEmpty())
                        .ifPresent(stack -> found.put(stack, lock));
            }
            if (page.next().isEmpty() || found.size() > MOST) {
                return new StackLockTable(found);
            }
            request = request.from(page.next());
        }
    }

    /** All locks that were found, by stack. */
    Map<Stack, LockView> all() {
        return locks;
    }

    /** Who holds this one, or parts of it. */
    List<Holder> holders(Stack stack) {
        return Optional.ofNullable(locks.get(stack)).map(LockView::holders).orElse(List.of());
    }

    /** A line for each holder. */
    Table table() {
        Table table = new Table(
                        "STACK",
                        "ENVIRONMENT",
                        "PATH",
                        "STATE",
                        "HOLDER",
                        "HELD",
                        "HEARTBEAT",
                        "ENDS",
                        "WAITING",
                        "REASON")
                .flexible("STACK", "ENVIRONMENT", "PATH", "HOLDER", "REASON");
        locks.forEach((stack, lock) -> {
            List<Cell[]> rows = new ArrayList<>();
            lock.holders().forEach(holder -> rows.add(held(stack, lock, holder)));
            if (rows.isEmpty()) {
                rows.add(wanted(stack, lock));
            }
            rows.forEach(table::row);
        });
        return table;
    }

    private static Cell[] held(Stack stack, LockView lock, Holder holder) {
        return new Cell[] {
            Cell.of(stack.name()),
            Cell.of(stack.environment()),
            Cell.of(LockLines.paths(holder.paths())),
            LockLines.state(holder),
            Cell.of(holder.owner()),
            Cell.of(Ages.between(holder.grantedAt(), lock.at())),
            LockLines.heartbeat(lock, holder),
            LockLines.end(lock, holder),
            LockLines.waiting(lock),
            Cell.of(holder.reason())
        };
    }

    /** Free, and promised to who waits. */
    private static Cell[] wanted(Stack stack, LockView lock) {
        Cell none = Cell.of("");
        return new Cell[] {
            Cell.of(stack.name()),
            Cell.of(stack.environment()),
            none,
            Cell.of(Ink.CAREFUL, "waiting"),
            none,
            none,
            none,
            none,
            LockLines.waiting(lock),
            none
        };
    }
}
