package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast state backup}: keeps the current version for good. */
@Command(
        name = "backup",
        description = {
            "Keeps the current version of a state beyond the time its history is kept; 'state restore' finds it by its",
            "version. With -o name: only that."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            "1:There is no state, or it is damaged.",
            Codes.USAGE,
            Codes.REFUSED,
            Codes.UNREACHABLE
        })
final class StateBackupCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        Optional<StateVersion> kept;
        try (StateTarget.Open open = target.look()) {
            kept = open.states().backup(stack);
        }
        if (kept.isEmpty()) {
            return StateWords.none(output, stack);
        }
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    StateJson.stack(json, stack);
                    json.writeStringField("version", kept.get().version());
                    json.writeEndObject();
                });
            case name -> output.out().println(kept.get().version());
            case table ->
                output.out()
                        .println(output.painted(Ink.GOOD, "✓") + " Version "
                                + kept.get().version() + " of " + StateWords.named(stack)
                                + " is kept until it is deleted by hand");
        }
        output.out().flush();
        return ExitCodes.OK;
    }
}
