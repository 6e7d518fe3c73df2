package dev.holdfast.cli.state;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.locks.LockLines;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.versions.Stack;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

record StackLockTable(Map<Stack, LockView> locks) {
    /** More than this at once is not what people look at. */
    private static final int MOST = 1_000_000;

    static StackLockTable of(Inspector inspector, Predicate<Stack> wanted) {
        Map<Stack, LockView> found = new TreeMap<>();
        ScanRequest request =
                ScanRequest.all().in(Stack.NAMESPACE).startingWith("stack:").busy();
        PagedItems.locks(inspector, request)
                .filter(lock -> !lock.isFree() || !lock.waiters().isEmpty())
                .limit(MOST)
                .forEach(lock -> Stack.of(lock.key()).filter(wanted).ifPresent(stack -> found.put(stack, lock)));
        return new StackLockTable(found);
    }

    /** Who holds this one, or parts of it. */
    List<Holder> holders(Stack stack) {
        return Optional.ofNullable(locks.get(stack)).map(LockView::holders).orElse(List.of());
    }

    static Table<LockLines.Line> table() {
        Table<LockLines.Line> names = new Table<LockLines.Line>()
                .column("STACK", it -> stack(it).name())
                .column("ENVIRONMENT", it -> stack(it).environment())
                .column(
                        "PATH",
                        it -> it.holder()
                                .map(holder -> LockLines.paths(holder.paths()))
                                .orElse(""));
        return LockLines.with(names, new TimesOption());
    }

    private static Stack stack(LockLines.Line line) {
        return Stack.of(line.lock().key()).orElseThrow();
    }
}
