package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Stack;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "pull",
        header = "Print a state, exactly the bytes that were saved.",
        description = "It may have secrets in it.",
        footer = "holdfast state pull shop production > state.json",
        exitCodeList = {Codes.USUAL, StateWords.NO_STATE})
final class StatePullCommand extends StackCommand {
    @Option(names = "--version", paramLabel = "VERSION", description = "This version, not the current one.")
    private Optional<String> version = Optional.empty();

    @Override
    protected int run() throws IOException {
        Stack stack = stacks.stack();
        Optional<byte[]> bytes;
        try (StateTarget.OpenedState open = target.look()) {
            bytes = version.isPresent()
                    ? open.states().version(stack, version.get()).map(LoadedState::content)
                    : current(open.states(), stack);
        }
        if (bytes.isEmpty()) {
            return version.isPresent()
                    ? StateWords.noVersion(output, stack, version.get())
                    : StateWords.none(output, stack);
        }
        output.out().flush();
        // Not through a writer: what is not text, or text in another encoding, must come out as it went in.
        System.out.write(bytes.get());
        if (System.out.checkError()) {
            throw new IOException("The state could not be printed; is its reader gone?");
        }
        return ExitCodes.OK;
    }

    /** In a run on a part of this stack, what is saved next is a change of this. */
    private static Optional<byte[]> current(StateManager states, Stack stack) {
        Optional<LoadedState> loaded = states.load(stack);
        if (OuterRun.partLease(stack).isPresent()) {
            BaseVersion.outer()
                    .ifPresent(base -> base.write(loaded.map(it -> it.version().version())));
        }
        return loaded.map(LoadedState::content);
    }
}
