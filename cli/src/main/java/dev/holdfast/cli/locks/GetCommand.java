package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.Rfc3339;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get}: one lock with everybody at it. */
@Command(
        name = "get",
        description =
                "Shows a lock: who holds it, since when and until when, and who waits. A free lock is shown, too.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public final class GetCommand implements Callable<Integer> {
    @Mixin
    private LockArgument lock;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        LockView view;
        try (LockClient locks = target.openExisting()) {
            view = locks.inspect().get(lock.key(target));
        }
        switch (output.format()) {
            case json, yaml -> output.print(json -> LockJson.lock(json, view));
            case name -> output.out().println(view.key().name());
            case table -> show(view);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(LockView view) {
        PrintWriter out = output.out();
        line("Lock", output.painted(Ink.STRONG, Screen.clean(view.key().name())));
        line("Namespace", view.key().namespace());
        line("State", state(view));
        if (view.latestToken().value() > 0) {
            line("Latest token", view.latestToken().toString());
        }
        view.done()
                .ifPresent(done -> line(
                        "Done once",
                        Screen.clean(done.generation() + " by " + done.by()) + ", " + time(done.at(), view.at())));
        for (Holder holder : view.holders()) {
            out.println();
            show(view, holder);
        }
        if (!view.waiters().isEmpty()) {
            out.println();
            output.print(waiters(view));
        }
    }

    private String state(LockView view) {
        if (view.isFree()) {
            return view.waiters().isEmpty() ? "free" : output.painted(Ink.CAREFUL, "free, promised to who waits");
        }
        boolean stale = view.holders().stream().anyMatch(Holder::stale);
        return stale ? output.painted(Ink.BAD, "held, stale") : output.painted(Ink.GOOD, "held");
    }

    private void show(LockView view, Holder holder) {
        line("Holder", output.painted(Ink.STRONG, Screen.clean(holder.owner())));
        String paths = LockLines.paths(holder.paths());
        if (!paths.isEmpty()) {
            line("  path", Screen.clean(paths));
        }
        line("  mode", holder.mode().toString());
        if (!holder.reason().isEmpty()) {
            line("  reason", Screen.clean(holder.reason()));
        }
        line("  held since", time(holder.grantedAt(), view.at()));
        String heartbeat = time(holder.renewedAt(), view.at());
        line("  last heartbeat", holder.stale() ? output.painted(Ink.BAD, heartbeat + ", stale") : heartbeat);
        line(
                "  ends",
                holder.expiresAt()
                        .map(end -> Rfc3339.text(end) + " (in " + Ages.between(view.at(), end) + ", unless renewed)")
                        .orElse("never by itself"));
        line("  fencing token", holder.token().toString());
        holder.metadata().forEach((key, value) -> line("  " + Screen.clean(key), Screen.clean(value)));
    }

    private static String time(Instant time, Instant now) {
        return Rfc3339.text(time) + " (" + Ages.between(time, now) + " ago)";
    }

    private static Table waiters(LockView view) {
        Table table = new Table("WAITING", "OWNER", "FOR", "MODE", "PATH").flexible("OWNER", "PATH");
        for (LockView.Waiting waiter : view.waiters()) {
            table.row(
                    Table.Cell.of(Integer.toString(waiter.position())),
                    Table.Cell.of(waiter.owner()),
                    Table.Cell.of(Ages.between(waiter.since(), view.at())),
                    Table.Cell.of(waiter.mode().toString()),
                    Table.Cell.of(LockLines.paths(waiter.paths())));
        }
        return table;
    }

    private void line(String label, String value) {
        String padded = label + " ".repeat(Math.max(1, 18 - Screen.width(label)));
        output.out().println(output.painted(Ink.QUIET, padded) + value);
    }
}
