package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.OtherNamespaceHint;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.model.LockKey;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.Rfc3339;
import java.time.Instant;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "get",
        header = "Show a lock: who holds it, until when, and who waits.",
        description = "A free lock is shown too, with what is remembered of it.",
        footer = {"holdfast get deploy-web", "holdfast get -N billing invoice-run -o json"})
public final class GetCommand extends TargetCommand {
    @Mixin
    private LockArgument lock;

    @Override
    protected int run() {
        LockView view;
        try (LockClient locks = target.openExisting()) {
            LockKey key = lock.key(target);
            view = locks.inspect().get(key);
            if (view.isFree()) {
                OtherNamespaceHint.tell(output, locks.inspect(), key, lock.word());
            }
        }
        output.show(json -> LockJson.lock(json, view), Stream.of(KeyText.of(view.key())), () -> show(view));
        return ExitCodes.OK;
    }

    private void show(LockView view) {
        output.line("Lock", output.painted(TextColour.STRONG, Screen.clean(KeyText.of(view.key()))));
        output.line("State", state(view));
        if (view.latestToken().value() > 0) {
            output.line("Latest token", view.latestToken().toString());
        }
        view.done()
                .ifPresent(done -> output.line(
                        "Done once",
                        Screen.clean(done.generation() + " by " + done.by()) + ", " + time(done.at(), view.at())));
        for (Holder holder : view.holders()) {
            output.println("");
            show(view, holder);
        }
        if (!view.waiters().isEmpty()) {
            output.println("");
            output.print(waiters(view.at()), view.waiters());
        }
    }

    private String state(LockView view) {
        if (view.isFree()) {
            return view.waiters().isEmpty()
                    ? "free"
                    : output.painted(TextColour.CAREFUL, "free, reserved for the first in the queue");
        }
        boolean stale = view.holders().stream().anyMatch(Holder::stale);
        return stale ? output.painted(TextColour.BAD, "held, stale") : output.painted(TextColour.GOOD, "held");
    }

    private void show(LockView view, Holder holder) {
        output.line("Holder", output.painted(TextColour.STRONG, Screen.clean(holder.owner())));
        String paths = LockLines.paths(holder.paths());
        if (!paths.isEmpty()) {
            output.line("  path", Screen.clean(paths));
        }
        output.line("  mode", holder.mode().toString());
        if (!holder.reason().isEmpty()) {
            output.line("  reason", Screen.clean(holder.reason()));
        }
        output.line("  held since", time(holder.grantedAt(), view.at()));
        String heartbeat = time(holder.renewedAt(), view.at());
        output.line(
                "  last heartbeat", holder.stale() ? output.painted(TextColour.BAD, heartbeat + ", stale") : heartbeat);
        output.line(
                "  ends",
                holder.expiresAt()
                        .map(end -> Rfc3339.text(end) + " (in " + Ages.between(view.at(), end) + ", unless renewed)")
                        .orElse("never by itself"));
        output.line("  fencing token", holder.token().toString());
        holder.metadata().forEach((key, value) -> output.line("  " + Screen.clean(key), Screen.clean(value)));
    }

    private static String time(Instant time, Instant now) {
        return Rfc3339.text(time) + " (" + Ages.between(time, now) + " ago)";
    }

    private static Table<LockView.Waiting> waiters(Instant now) {
        return new Table<LockView.Waiting>()
                .column("WAITING", waiter -> Integer.toString(waiter.position()))
                .flexible("OWNER", LockView.Waiting::owner)
                .column("FOR", waiter -> Ages.between(waiter.since(), now))
                .column("MODE", waiter -> waiter.mode().toString())
                .flexible("PATH", waiter -> LockLines.paths(waiter.paths()));
    }
}
