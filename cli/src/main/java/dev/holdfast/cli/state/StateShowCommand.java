package dev.holdfast.cli.state;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.locks.LockLines;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast state show}: what is known of a stack's state, without the state. */
@Command(
        name = "show",
        description = {
            "Shows the current version of a state: serial, lineage, size, who saved it and when, and who holds the lock.",
            "The state itself is not shown: it has secrets. 'state pull' prints it. With -o name: the version."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            "1:There is no state, or it is damaged.",
            Codes.USAGE,
            Codes.REFUSED,
            Codes.UNREACHABLE
        })
final class StateShowCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        Optional<StateVersion> found;
        LockView lock;
        try (StateTarget.Open open = target.look()) {
            found = StateTarget.current(open.states(), stack);
            lock = open.locks().inspect().get(stack.lock());
        }
        if (found.isEmpty() && lock.isFree()) {
            return StateWords.none(output, stack);
        }
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    StateJson.stack(json, stack);
                    if (found.isPresent()) {
                        StateJson.version(json, found.get());
                    }
                    StateJson.locked(json, lock.holders());
                    json.writeEndObject();
                });
            case name -> found.ifPresent(it -> output.out().println(it.version()));
            case table -> show(stack, found, lock);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(Stack stack, Optional<StateVersion> found, LockView lock) {
        line("Stack", output.painted(Ink.STRONG, stack.name()));
        line("Environment", stack.environment());
        if (found.isEmpty()) {
            line("Version", "none yet");
        } else {
            StateVersion version = found.get();
            line("Version", version.version());
            line("Serial", Long.toString(version.serial()));
            version.lineage().ifPresent(it -> line("Lineage", Screen.clean(it)));
            line("Size", StateWords.size(version.size()) + " (" + version.size() + " bytes)");
            line("SHA-256", version.sha256());
            line(
                    "Saved",
                    StateWords.time(version.savedAt()) + " (" + Ages.between(version.savedAt(), lock.at()) + " ago) by "
                            + Screen.clean(version.by()));
            if (!version.operation().isEmpty()) {
                line("  for", Screen.clean(version.operation()));
            }
            version.lockId().ifPresent(it -> line("  lock id", Screen.clean(it)));
            line("  fencing token", version.token().toString());
        }
        line("Lock", lock.isFree() ? "free" : "");
        lock.holders().forEach(holder -> show(holder, lock));
    }

    private void show(Holder holder, LockView lock) {
        String path = LockLines.paths(holder.paths());
        line("  held by", Screen.clean(holder.owner()) + (path.isEmpty() ? "" : " (only " + Screen.clean(path) + ")"));
        if (!holder.reason().isEmpty()) {
            line("  reason", Screen.clean(holder.reason()));
        }
        line(
                "  since",
                StateWords.time(holder.grantedAt()) + " (" + Ages.between(holder.grantedAt(), lock.at()) + " ago)");
        String heartbeat = Ages.between(holder.renewedAt(), lock.at()) + " ago";
        line("  last heartbeat", holder.stale() ? output.painted(Ink.BAD, heartbeat + ", stale") : heartbeat);
    }

    private void line(String label, String value) {
        String padded = label + " ".repeat(Math.max(1, 18 - Screen.width(label)));
        output.out().println((output.painted(Ink.QUIET, padded) + value).stripTrailing());
    }
}
