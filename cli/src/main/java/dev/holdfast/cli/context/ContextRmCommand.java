package dev.holdfast.cli.context;

import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.OutputCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "rm",
        header = "Remove a context.",
        description = "The files it names, such as that of the token, are left where they are.",
        footer = "holdfast context rm prod",
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE})
final class ContextRmCommand extends OutputCommand {
    @Mixin
    private ContextNameArgument name;

    @Override
    protected int run() {
        name.in(Contexts.read(System.getenv())); // or nothing is made, not even a lock
        boolean used = Contexts.changing(System.getenv(), this::remove);
        if (output.isTable()) {
            output.done("Context '" + name.name() + "' is removed"
                    + (used ? ". None is in use now; choose one: holdfast context use NAME" : ""));
        }
        return ExitCodes.OK;
    }

    /** Whether it was in use. */
    private boolean remove() {
        Contexts contexts = Contexts.read(System.getenv());
        name.in(contexts);
        contexts.without(name.name()).write();
        return contexts.current().filter(name.name()::equals).isPresent();
    }
}
