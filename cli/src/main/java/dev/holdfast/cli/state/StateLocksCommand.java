package dev.holdfast.cli.state;

import dev.holdfast.LockClient;
import dev.holdfast.cli.locks.LockLines;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.wire.LockJson;
import picocli.CommandLine.Command;

@Command(
        name = "locks",
        header = "List the locks of stacks that are held or waited for.",
        description = {
            "A line for each holder; of all stacks, or of those that are named.",
            "With -o name: the name of the lock in the namespace deploy."
        },
        footer = {"holdfast state locks", "holdfast state locks shop production"},
        customSynopsis = "holdfast state locks [OPTIONS] [STACK [ENVIRONMENT]]")
final class StateLocksCommand extends StackCommand {
    @Override
    protected int run() {
        StackArgument.Filter filter = stacks.filter();
        StackLockTable found;
        try (LockClient locks = target.locks()) {
            found = StackLockTable.of(locks.inspect(), filter::matches);
        }
        output.showAll(
                found.locks().values(),
                LockJson::lock,
                it -> it.key().name(),
                "No stack" + (filter.isNarrow() ? " of that name" : "") + " is locked",
                () -> output.print(
                        StackLockTable.table(), LockLines.of(found.locks().values())));
        return ExitCodes.OK;
    }
}
