package dev.holdfast.cli.state;

import dev.holdfast.LockClient;
import dev.holdfast.cli.locks.ForcedUnlock;
import dev.holdfast.cli.locks.UnlockOptions;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.state.versions.Stack;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "unlock",
        header = "End the lock of a stack by force, after showing whose it is.",
        description = {
            "Shows the holder first and asks: 'yes' for a stale holder, the name of the stack for one that is"
                    + " alive. Without a terminal nobody can be asked: add --yes for a stale holder, --force and --reason for one that"
                    + " is alive.",
            "",
            "The holder can never save again, even if it keeps working."
        },
        footer = "holdfast state unlock shop production --reason 'runner 5 is gone'",
        exitCodeList = {
            Codes.USUAL,
            "3:Nobody holds it, or somebody other than the one that was shown.",
            Codes.NOT_CONFIRMED
        })
final class StateUnlockCommand extends StackCommand {
    @Mixin
    private UnlockOptions options;

    @Option(
            names = {"-f", "--force"},
            description =
                    "Also end a hold that is not stale: only 'yes' is asked for, and nothing without a terminal if there"
                            + " is a --reason.")
    private boolean force;

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "A service, or service/component, that is locked alone.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private VisibleLocksOption visible;

    @Override
    protected int run() {
        Stack stack = stacks.stack();
        ForcedUnlock.UnlockRequest wish = new ForcedUnlock.UnlockRequest(options, path, force, "stack", stack.name());
        if (visible.on(target)) {
            try (StateTarget.OpenedState open = target.look()) {
                int code = new ForcedUnlock(spec, output, stack.lock(), wish).on(open.locks());
                open.states().showLock(stack);
                return code;
            }
        }
        try (LockClient locks = target.locks()) {
            return new ForcedUnlock(spec, output, stack.lock(), wish).on(locks);
        }
    }
}
