package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.json.JsonText;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "diff",
        header = "Show what differs between two versions of a state.",
        description =
                "By resource; by default between the current version and the one before it. Values that are secret,"
                        + " or have a name that says so, are masked.",
        footer = {"holdfast state diff shop production", "holdfast state diff shop production --exit-code"},
        exitCodeList = {
            Codes.USUAL,
            "1:There is no such version, or it is damaged.",
            "6:With --exit-code: something differs."
        })
final class StateDiffCommand extends StackCommand {
    /** The document that is none: everything in the other is new. */
    private static final byte[] NOTHING = {'{', '}'};

    /** The version before is nearly always among these. */
    private static final int PAGE = 50;

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

    @Override
    protected int run() {
        Stack stack = stacks.stack();
        try (StateTarget.OpenedState open = target.look()) {
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

    private static Optional<String> previous(StateManager states, Stack stack, String version) {
        return StateTarget.versions(states, stack, PAGE)
                .map(StateVersion::version)
                .dropWhile(each -> !each.equals(version))
                .skip(1)
                .findFirst();
    }

    private int show(String before, String after, StateDiff diff) {
        JsonText.Part answer = JsonText.wrapped(json -> {
            json.writeStringField("from", before);
            json.writeStringField("to", after);
            StateJson.changes(json, diff);
        });
        output.show(answer, diff.changes().stream().map(it -> Screen.clean(it.address())), () -> {
            output.say(output.paintedTalk(TextColour.QUIET, "From " + before + " to " + after));
            new DiffText(diff).print(output.out(), output::painted);
        });
        return exitCode && !diff.isEmpty() ? ExitCodes.CHECK_SAID_NO : ExitCodes.OK;
    }
}
