package dev.holdfast.cli.state;

import dev.holdfast.LockClient;
import dev.holdfast.cli.locks.ForcedUnlock;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.state.versions.Stack;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast state unlock}: ends somebody's hold on a stack by force, after showing whose it is. */
@Command(
        name = "unlock",
        description = {
            "Ends the lock of a stack by force. Shows the holder first and asks: 'yes' for a stale holder, the name of the",
            "stack for one that is not. The holder can never save again, also if it goes on working.",
            "Without a terminal nothing can be asked: add --yes."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            Codes.USAGE,
            "3:Nobody holds it, or another than the one that was shown.",
            Codes.REFUSED,
            Codes.NOT_CONFIRMED,
            Codes.UNREACHABLE
        })
final class StateUnlockCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Option(
            names = {"-f", "--force"},
            description = "The holder need not be stale: ask only for 'yes'.")
    private boolean force;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for the history and for who finds the lock gone.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--token", paramLabel = "N", description = "The fencing token of the hold, if there are several.")
    private Optional<Long> token = Optional.empty();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "A service, or service/component, that is locked alone.")
    private Optional<String> path = Optional.empty();

    @Option(
            names = "--visible-locks",
            description =
                    "Without a server: keep files beside the state that show who holds it, as state.visible-locks does for"
                            + " a server.")
    private boolean visibleLocks;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        ForcedUnlock.Wish wish = new ForcedUnlock.Wish(token, path, yes, force, reason, "stack", stack.name());
        target.showLocks(visibleLocks);
        if (visibleLocks) {
            try (StateTarget.Open open = target.look()) {
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
