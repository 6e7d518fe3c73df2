package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast state diff}: what changed, by resource. */
@Command(
        name = "diff",
        description = {
            "Shows what differs between two versions of a state, by resource; by default between the current one and the one",
            "before it. Values that are secret, or have a name that says so, are masked."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            "1:There is no such version, or it is damaged.",
            Codes.USAGE,
            Codes.REFUSED,
            "6:With --exit-code: something differs.",
            Codes.UNREACHABLE
        })
final class StateDiffCommand implements Callable<Integer> {
    /** The document that is none: everything in the other is new. */
    private static final byte[] NOTHING = {'{', '}'};

    /** The version before is nearly always among these. */
    private static final int PAGE = 50;

    @Mixin
    private StackArgument stacks;

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            description = "The version to start from (default: the one before --to).")
    private Optional<String> from = Optional.empty();

    @Option(
            names = "--to",
            paramLabel = "VERSION",
            description = "The version to arrive at (default: the current one).")
    private Optional<String> to = Optional.empty();

    @Option(names = "--exit-code", description = "Exit with 6 if something differs.")
    private boolean exitCode;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        try (StateTarget.Open open = target.look()) {
            StateManager states = open.states();
            Optional<String> after =
                    to.or(() -> StateTarget.current(states, stack).map(StateVersion::version));
            if (after.isEmpty()) {
                return StateWords.none(output, stack);
            }
            Optional<String> before = from.or(() -> previous(states, stack, after.get()));
            Optional<byte[]> now = to.isPresent()
                    ? states.version(stack, after.get()).map(LoadedState::content)
                    : states.load(stack).map(LoadedState::content);
            if (now.isEmpty()) {
                return StateWords.noVersion(output, stack, after.get());
            }
            Optional<byte[]> then = before.isPresent()
                    ? states.version(stack, before.get()).map(LoadedState::content)
                    : Optional.of(NOTHING);
            if (then.isEmpty()) {
                return StateWords.noVersion(output, stack, before.orElse(""));
            }
            return show(before.orElse("nothing"), after.get(), StateDiff.between(then.get(), now.get()));
        }
    }

    /** The version saved before this one. */
    private static Optional<String> previous(StateManager states, Stack stack, String version) {
        Optional<String> cursor = Optional.empty();
        boolean found = false;
        do {
            HistoryPage page = states.history(stack, PAGE, cursor);
            for (StateVersion each : page.versions()) {
                if (found) {
                    return Optional.of(each.version());
                }
                found = each.version().equals(version);
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return Optional.empty();
    }

    private int show(String before, String after, StateDiff diff) {
        DiffText text = new DiffText(diff);
        switch (output.format()) {
            case json, yaml -> output.print(json -> text.write(json, before, after));
            case name -> diff.changes().forEach(it -> output.out().println(Screen.clean(it.address())));
            case table -> {
                output.err().println(output.paintedTalk(Ink.QUIET, "From " + before + " to " + after));
                text.print(output.out(), output::painted);
            }
        }
        output.out().flush();
        return exitCode && !diff.isEmpty() ? ExitCodes.CHECK_SAID_NO : ExitCodes.OK;
    }
}
