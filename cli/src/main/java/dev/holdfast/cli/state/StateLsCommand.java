package dev.holdfast.cli.state;

import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.connect.PagedItems.Page;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.LimitOption.Listing;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "ls",
        header = "List stacks, their current version, and who holds their lock.",
        description = {"All stacks, or those named.", "With -o name: STACK/ENVIRONMENT, one per line."},
        footer = {"holdfast state ls", "holdfast state ls shop -o json"},
        customSynopsis = "holdfast state ls [OPTIONS] [STACK [ENVIRONMENT]]")
final class StateLsCommand extends StackCommand {
    @Mixin
    private LimitOption limits = new LimitOption(10_000);

    @Override
    protected int run() {
        limits.page(StateManager.MAX_PAGE); // before anybody is asked
        StackArgument.Filter filter = stacks.filter();
        Listing<StackPage.Item> found;
        StackLockTable locks;
        try (StateTarget.OpenedState open = target.look()) {
            found = limits.of(all(open.states()).filter(item -> filter.matches(item.stack())));
            locks = StackLockTable.of(open.locks().inspect(), filter::matches);
        }
        output.showAll(
                found.items(),
                (json, item) -> StateJson.item(
                        json, new StackPage.Item(item.stack(), item.current(), locks.holders(item.stack()))),
                item -> item.stack().name() + "/" + item.stack().environment(),
                "No state is kept here" + (filter.isNarrow() ? " of that name" : ""),
                () -> output.print(table(locks), found.items()));
        if (found.more()) {
            output.say("There are more. Name a stack, or raise --limit");
        }
        return ExitCodes.OK;
    }

    private static Stream<StackPage.Item> all(StateManager states) {
        return PagedItems.of((Optional<String> place) -> {
            StackPage page = states.list(StateManager.MAX_PAGE, place);
            return new Page<>(page.stacks(), page.next());
        });
    }

    private static Table<StackPage.Item> table(StackLockTable locks) {
        return new Table<StackPage.Item>()
                .column("STACK", it -> it.stack().name())
                .column("ENVIRONMENT", it -> it.stack().environment())
                .column("SERIAL", it -> current(it, version -> Long.toString(version.serial())))
                .cells("SIZE", StateLsCommand::size)
                .column("SAVED", it -> current(it, version -> TimesOption.exactly(version.savedAt())))
                .column("VERSION", it -> current(it, StateVersion::version))
                .flexibleCells("LOCKED BY", it -> StateWords.lock(locks.holders(it.stack())));
    }

    private static String current(StackPage.Item item, Function<StateVersion, String> what) {
        return item.current().map(what).orElse("");
    }

    private static Cell size(StackPage.Item item) {
        return item.current()
                .map(it -> Cell.of(StateWords.size(it.size())))
                .orElse(Cell.of(TextColour.QUIET, "none yet"));
    }
}
