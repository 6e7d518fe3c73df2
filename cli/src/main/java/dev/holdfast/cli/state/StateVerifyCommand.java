package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.json.JsonText;
import picocli.CommandLine.Command;

@Command(
        name = "verify",
        header = "Compare every version of a state with its checksum.",
        footer = "holdfast state verify shop production",
        exitCodeList = {
            Codes.OK,
            Codes.FAILURE,
            Codes.USAGE,
            Codes.REFUSED,
            "6:Something is damaged.",
            Codes.UNREACHABLE
        })
final class StateVerifyCommand extends StackCommand {
    @Override
    protected int run() {
        Stack stack = stacks.stack();
        Verification found;
        try (StateTarget.OpenedState open = target.look()) {
            found = open.states().verify(stack);
        }
        JsonText.Part answer = json -> {
            json.writeStartObject();
            StateJson.stack(json, stack);
            StateJson.verification(json, found);
            json.writeEndObject();
        };
        output.show(answer, found.damaged().stream().map(Verification.Damage::version), () -> show(stack, found));
        return found.isGood() ? ExitCodes.OK : ExitCodes.CHECK_SAID_NO;
    }

    private void show(Stack stack, Verification found) {
        if (found.isGood()) {
            output.done(found.checked() + " documents of " + StateWords.named(stack) + " are as they were saved");
            return;
        }
        Table<Verification.Damage> table = new Table<Verification.Damage>()
                .cells("DAMAGED", damage -> Cell.of(TextColour.BAD, damage.version()))
                .column("", damage -> damage.current() ? "current" : "history")
                .column("PROBLEM", Verification.Damage::problem);
        output.print(table, found.damaged());
        boolean current = found.damaged().stream().anyMatch(Verification.Damage::current);
        if (current) {
            output.say(found.lastGood()
                    .map(good -> "Repair it with: holdfast state restore " + stack.name() + " " + stack.environment()
                            + " --version " + good)
                    .orElse("No good version is left; restore a backup of the document store"));
        }
    }
}
