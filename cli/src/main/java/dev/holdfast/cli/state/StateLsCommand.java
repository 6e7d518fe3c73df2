package dev.holdfast.cli.state;

import dev.holdfast.cli.locks.LsCommand;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast state ls}: the stacks there are. */
@Command(
        name = "ls",
        description = {
            "Lists stacks with their current version and who holds their lock; all, or those that are named.",
            "With -o name: STACK/ENVIRONMENT, one a line."
        },
        customSynopsis = "holdfast state ls [OPTIONS] [STACK [ENVIRONMENT]]",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class StateLsCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + LsCommand.DEFAULT_LIMIT,
            description = "At most this many (default ${DEFAULT-VALUE}); says so if there are more.")
    private int limit = LsCommand.DEFAULT_LIMIT;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (limit < 1 || limit > LsCommand.MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit must be between 1 and " + LsCommand.MAX_LIMIT + ", was " + limit);
        }
        StackArgument.Filter filter = stacks.filter();
        List<StackPage.Item> found = new ArrayList<>();
        boolean more;
        StackLockTable locks;
        try (StateTarget.Open open = target.look()) {
            more = collect(open.states(), filter, found);
            locks = StackLockTable.of(open.locks().inspect(), filter::matches);
        }
        show(found, locks);
        if (more) {
            output.err().println("There are more than these " + found.size() + ". Name a stack, or raise --limit");
        }
        return ExitCodes.OK;
    }

    /** Reads page after page; true if the limit was reached before the end. */
    private boolean collect(StateManager states, StackArgument.Filter filter, List<StackPage.Item> found) {
        Optional<String> cursor = Optional.empty();
        do {
            StackPage page = states.list(StateManager.MAX_PAGE, cursor);
            for (StackPage.Item item : page.stacks()) {
                if (filter.matches(item.stack())) {
                    if (found.size() == limit) {
                        return true;
                    }
                    found.add(item);
                }
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return false;
    }

    private void show(List<StackPage.Item> found, StackLockTable locks) {
        switch (output.format()) {
            case json, yaml ->
                output.printAll(
                        found,
                        (json, item) -> StateJson.item(
                                json, new StackPage.Item(item.stack(), item.current(), locks.holders(item.stack()))));
            case name ->
                found.forEach(item -> output.out()
                        .println(item.stack().name() + "/" + item.stack().environment()));
            case table -> {
                if (found.isEmpty()) {
                    output.err()
                            .println("No state is kept here" + (stacks.filter().isNarrow() ? " of that name" : ""));
                } else {
                    output.print(table(found, locks));
                }
            }
        }
        output.out().flush();
    }

    private static Table table(List<StackPage.Item> found, StackLockTable locks) {
        Table table = new Table("STACK", "ENVIRONMENT", "SERIAL", "SIZE", "SAVED", "VERSION", "LOCKED BY")
                .flexible("STACK", "ENVIRONMENT", "LOCKED BY");
        for (StackPage.Item item : found) {
            Optional<StateVersion> current = item.current();
            table.row(
                    Cell.of(item.stack().name()),
                    Cell.of(item.stack().environment()),
                    Cell.of(current.map(it -> Long.toString(it.serial())).orElse("")),
                    current.map(it -> Cell.of(StateWords.size(it.size()))).orElse(Cell.of(Ink.QUIET, "none yet")),
                    Cell.of(current.map(it -> StateWords.time(it.savedAt())).orElse("")),
                    Cell.of(current.map(StateVersion::version).orElse("")),
                    StateWords.lock(locks.holders(item.stack())));
        }
        return table;
    }
}
