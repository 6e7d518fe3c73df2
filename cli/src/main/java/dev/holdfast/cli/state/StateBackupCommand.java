package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.wire.json.Json;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(
        name = "backup",
        header = "Keep the current version of a state for good.",
        description = {
            "It is kept beyond the retention of the history; 'holdfast state restore' finds it by its version.",
            "With -o name: only the version."
        },
        footer = "holdfast state backup shop production",
        exitCodeList = {Codes.USUAL, StateWords.NO_STATE})
final class StateBackupCommand extends StackCommand {
    @Override
    protected int run() {
        Stack stack = stacks.stack();
        Optional<StateVersion> kept;
        try (StateTarget.OpenedState open = target.look()) {
            kept = open.states().backup(stack);
        }
        if (kept.isEmpty()) {
            return StateWords.none(output, stack);
        }
        String version = kept.get().version();
        Json answer = Json.build()
                .with("stack", stack.name())
                .with("environment", stack.environment())
                .with("version", version)
                .build();
        output.show(
                answer::writeTo,
                Stream.of(version),
                () -> output.done("Version " + version + " of " + StateWords.named(stack)
                        + " is kept until it is deleted by hand"));
        return ExitCodes.OK;
    }
}
