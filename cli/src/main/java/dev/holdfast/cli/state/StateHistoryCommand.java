package dev.holdfast.cli.state;

import dev.holdfast.cli.locks.HistoryCommand;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.Stack;
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

/** {@code holdfast state history}: the versions there are. */
@Command(
        name = "history",
        description = {
            "Lists the versions of a state, newest first. With -o name: only the versions.",
            "What was refused is in the history of the lock: holdfast history -N deploy stack:STACK:env:ENVIRONMENT"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class StateHistoryCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most this many (default ${DEFAULT-VALUE}); says so if there are more.")
    private int limit = 100;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (limit < 1 || limit > HistoryCommand.MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit must be between 1 and " + HistoryCommand.MAX_LIMIT + ", was " + limit);
        }
        Stack stack = stacks.stack();
        List<StateVersion> found = new ArrayList<>();
        boolean more;
        try (StateTarget.Open open = target.look()) {
            more = collect(open.states(), stack, found);
        }
        show(stack, found);
        if (more) {
            output.err().println("There are older ones. Look further back with --limit");
        }
        return ExitCodes.OK;
    }

    /** Reads page after page; true if there are more than was asked for. */
    private boolean collect(StateManager states, Stack stack, List<StateVersion> found) {
        Optional<String> cursor = Optional.empty();
        do {
            HistoryPage page = states.history(stack, Math.min(StateManager.MAX_PAGE, limit + 1 - found.size()), cursor);
            found.addAll(page.versions());
            cursor = page.next();
        } while (found.size() <= limit && cursor.isPresent());
        boolean more = found.size() > limit;
        if (more) {
            found.subList(limit, found.size()).clear();
        }
        return more;
    }

    private void show(Stack stack, List<StateVersion> found) {
        switch (output.format()) {
            case json, yaml -> output.printAll(found, StateJson::object);
            case name -> found.forEach(it -> output.out().println(it.version()));
            case table -> {
                if (found.isEmpty()) {
                    output.err().println("Nothing was ever saved for " + StateWords.named(stack));
                } else {
                    output.print(table(found));
                }
            }
        }
        output.out().flush();
    }

    private static Table table(List<StateVersion> found) {
        Table table = new Table("VERSION", "SERIAL", "SAVED", "SIZE", "BY", "FOR").flexible("BY", "FOR");
        for (StateVersion it : found) {
            table.row(
                    Cell.of(it.version()),
                    Cell.of(Long.toString(it.serial())),
                    Cell.of(StateWords.time(it.savedAt())),
                    Cell.of(StateWords.size(it.size())),
                    Cell.of(it.by()),
                    Cell.of(it.operation()));
        }
        return table;
    }
}
