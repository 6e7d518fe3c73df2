package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.LimitOption.Listing;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "history",
        header = "List the versions of a state, newest first.",
        description = {
            "With -o name: only the versions.",
            "Refused saves are in the history of the lock: 'holdfast history -N deploy KEY', with"
                    + " stack:STACK:env:ENVIRONMENT as the key."
        },
        footer = {"holdfast state history shop production", "holdfast history -N deploy stack:shop:env:production"})
final class StateHistoryCommand extends StackCommand {
    @Mixin
    private LimitOption limits = new LimitOption(100);

    @Override
    protected int run() {
        int page = limits.page(StateManager.MAX_PAGE);
        Stack stack = stacks.stack();
        Listing<StateVersion> found;
        try (StateTarget.OpenedState open = target.look()) {
            found = limits.of(StateTarget.versions(open.states(), stack, page));
        }
        output.showAll(
                found.items(),
                StateJson::object,
                StateVersion::version,
                "Nothing was ever saved for " + StateWords.named(stack),
                () -> output.print(table(), found.items()));
        if (found.more()) {
            output.say("There are older ones. Look further back with --limit");
        }
        return ExitCodes.OK;
    }

    private static Table<StateVersion> table() {
        return new Table<StateVersion>()
                .column("VERSION", StateVersion::version)
                .column("SERIAL", it -> Long.toString(it.serial()))
                .column("SAVED", it -> TimesOption.exactly(it.savedAt()))
                .column("SIZE", it -> StateWords.size(it.size()))
                .flexible("BY", StateVersion::by)
                .flexible("FOR", StateVersion::operation);
    }
}
