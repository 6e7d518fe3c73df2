package dev.holdfast.cli.state;

import dev.holdfast.LockClient;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.wire.LockJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast state locks}: who deploys what. */
@Command(
        name = "locks",
        description = {
            "Lists the locks of stacks that are held or waited for, a line for each holder; all, or those that are named.",
            "With -o name: the name of the lock in the namespace deploy."
        },
        customSynopsis = "holdfast state locks [OPTIONS] [STACK [ENVIRONMENT]]",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class StateLocksCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        StackArgument.Filter filter = stacks.filter();
        StackLockTable found;
        try (LockClient locks = target.locks()) {
            found = StackLockTable.of(locks.inspect(), filter::matches);
        }
        switch (output.format()) {
            case json, yaml -> output.printAll(found.all().values(), LockJson::lock);
            case name ->
                found.all().values().forEach(it -> output.out().println(it.key().name()));
            case table -> {
                if (found.all().isEmpty()) {
                    output.err().println("No stack" + (filter.isNarrow() ? " of that name" : "") + " is locked");
                } else {
                    output.print(found.table());
                }
            }
        }
        output.out().flush();
        return ExitCodes.OK;
    }
}
