package dev.holdfast.cli.state;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.locks.LockLines;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.json.JsonText;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code holdfast state show}: what is known of a stack's state, without the state. */
@Command(
        name = "show",
        header = "Show the current version of a state, and who holds the lock.",
        description = {
            "Its serial, lineage and size, who saved it and when. The state itself is not shown, because it may"
                    + " have secrets in it; 'holdfast state pull' prints it.",
            "With -o name: only the version."
        },
        footer = "holdfast state show shop production",
        exitCodeList = {Codes.USUAL, StateWords.NO_STATE})
final class StateShowCommand extends StackCommand {
    @Override
    protected int run() {
        Stack stack = stacks.stack();
        Optional<StateVersion> found;
        LockView lock;
        try (StateTarget.OpenedState open = target.look()) {
            found = StateTarget.current(open.states(), stack);
            lock = open.locks().inspect().get(stack.lock());
        }
        if (found.isEmpty() && lock.isFree()) {
            return StateWords.none(output, stack);
        }
        JsonText.Part answer = JsonText.wrapped(json -> {
            StateJson.stack(json, stack);
            if (found.isPresent()) {
                StateJson.version(json, found.get());
            }
            StateJson.locked(json, lock.holders());
        });
        output.show(answer, found.stream().map(StateVersion::version), () -> show(stack, found, lock));
        return ExitCodes.OK;
    }

    private void show(Stack stack, Optional<StateVersion> found, LockView lock) {
        output.line("Stack", output.painted(TextColour.STRONG, stack.name()));
        output.line("Environment", stack.environment());
        if (found.isEmpty()) {
            output.line("Version", "none yet");
        } else {
            StateVersion version = found.get();
            output.line("Version", version.version());
            output.line("Serial", Long.toString(version.serial()));
            version.lineage().ifPresent(it -> output.line("Lineage", Screen.clean(it)));
            output.line("Size", StateWords.size(version.size()) + " (" + version.size() + " bytes)");
            output.line("SHA-256", version.sha256());
            output.line(
                    "Saved",
                    TimesOption.exactly(version.savedAt()) + " (" + Ages.between(version.savedAt(), lock.at())
                            + " ago) by " + Screen.clean(version.by()));
            if (!version.operation().isEmpty()) {
                output.line("  for", Screen.clean(version.operation()));
            }
            version.lockId().ifPresent(it -> output.line("  lock id", Screen.clean(it)));
            output.line("  fencing token", version.token().toString());
        }
        output.line("Lock", lock.isFree() ? "free" : "");
        lock.holders().forEach(holder -> show(holder, lock));
    }

    private void show(Holder holder, LockView lock) {
        String path = LockLines.paths(holder.paths());
        output.line(
                "  held by",
                Screen.clean(holder.owner()) + (path.isEmpty() ? "" : " (only " + Screen.clean(path) + ")"));
        if (!holder.reason().isEmpty()) {
            output.line("  reason", Screen.clean(holder.reason()));
        }
        output.line(
                "  since",
                TimesOption.exactly(holder.grantedAt()) + " (" + Ages.between(holder.grantedAt(), lock.at()) + " ago)");
        String heartbeat = Ages.between(holder.renewedAt(), lock.at()) + " ago";
        output.line(
                "  last heartbeat", holder.stale() ? output.painted(TextColour.BAD, heartbeat + ", stale") : heartbeat);
    }
}
