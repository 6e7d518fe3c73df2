package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.wire.StateJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast state verify}: whether what is stored is what was saved. */
@Command(
        name = "verify",
        description = "Reads every version of a state and compares it with its checksum.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, "6:Something is damaged.", Codes.UNREACHABLE})
final class StateVerifyCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        Verification found;
        try (StateTarget.Open open = target.look()) {
            found = open.states().verify(stack);
        }
        switch (output.format()) {
            case json, yaml -> json(found);
            case name -> found.damaged().forEach(it -> output.out().println(it.version()));
            case table -> show(stack, found);
        }
        output.out().flush();
        return found.isGood() ? ExitCodes.OK : ExitCodes.CHECK_SAID_NO;
    }

    private void json(Verification found) {
        output.print(json -> {
            json.writeStartObject();
            StateJson.stack(json, found.stack());
            json.writeNumberField("checked", found.checked());
            json.writeArrayFieldStart("damaged");
            for (Verification.Damage damage : found.damaged()) {
                json.writeStartObject();
                json.writeStringField("version", damage.version());
                json.writeBooleanField("current", damage.current());
                json.writeStringField("problem", damage.problem());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("last_good", found.lastGood().orElse(null));
            json.writeEndObject();
        });
    }

    private void show(Stack stack, Verification found) {
        if (found.isGood()) {
            output.out()
                    .println(output.painted(Ink.GOOD, "✓") + " " + found.checked() + " documents of "
                            + StateWords.named(stack) + " are as they were saved");
            return;
        }
        Table table = new Table("DAMAGED", "", "PROBLEM");
        for (Verification.Damage damage : found.damaged()) {
            table.row(
                    Cell.of(Ink.BAD, damage.version()),
                    Cell.of(damage.current() ? "current" : "history"),
                    Cell.of(damage.problem()));
        }
        output.print(table);
        boolean current = found.damaged().stream().anyMatch(Verification.Damage::current);
        if (current) {
            output.err()
                    .println(found.lastGood()
                            .map(good -> "Heal it with: holdfast state restore " + stack.name() + " "
                                    + stack.environment() + " --version " + good)
                            .orElse("No good version is left; look for a backup of the document store"));
        }
    }
}
