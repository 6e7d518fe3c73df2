package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
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
        description =
                "A state that was deleted is compared too, as long as it has a history. If there is no such state,"
                        + " that is an error.",
        footer = "holdfast state verify shop production",
        exitCodeList = {
            Codes.USUAL,
            "1:There is no such state, or it did not work; the reason is on standard error.",
            "6:Something is damaged."
        })
final class StateVerifyCommand extends StackCommand {
    @Override
    protected int run() {
        Stack stack = stacks.stack();
        Verification found;
        boolean exists;
        try (StateTarget.OpenedState open = target.look()) {
            found = open.states().verify(stack);
            // A state that was put there by other means has nothing to compare with, and is one all the same.
            exists = found.checked() > 0
                    || StateTarget.current(open.states(), stack).isPresent();
        }
        if (!exists) {
            return StateWords.none(output, stack);
        }
        JsonText.Part answer = JsonText.wrapped(json -> {
            StateJson.stack(json, stack);
            StateJson.verification(json, found);
        });
        output.show(answer, found.damaged().stream().map(Verification.Damage::version), () -> show(stack, found));
        return found.isGood() ? ExitCodes.OK : ExitCodes.CHECK_SAID_NO;
    }

    private void show(Stack stack, Verification found) {
        if (found.checked() == 0) {
            output.println("The state of " + StateWords.named(stack) + " was not saved through Holdfast yet and has no"
                    + " checksum: there is nothing to compare it with");
            return;
        }
        if (found.isGood()) {
            boolean one = found.checked() == 1;
            output.done(found.checked()
                    + (one ? " document of " : " documents of ")
                    + StateWords.named(stack)
                    + (one ? " is as it was saved" : " are as they were saved"));
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
