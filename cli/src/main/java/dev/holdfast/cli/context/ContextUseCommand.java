package dev.holdfast.cli.context;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.OutputCommand;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "use",
        header = "Choose the context that commands use from now on.",
        footer = "holdfast context use prod",
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE})
final class ContextUseCommand extends OutputCommand {
    @Mixin
    private ContextNameArgument name;

    @Override
    protected int run() {
        name.in(Contexts.read(System.getenv())); // or nothing is made, not even a lock
        said(output, Contexts.changing(System.getenv(), this::use));
        return ExitCodes.OK;
    }

    private Context use() {
        Contexts contexts = Contexts.read(System.getenv());
        Context context = name.in(contexts);
        contexts.using(Optional.of(context.name())).write();
        return context;
    }

    /** That it is in use; and if something else still counts more, that too. */
    static void said(Output output, Context context) {
        if (output.isTable()) {
            output.done("Commands use the context '" + context.name() + "' now: " + Stores.masked(context.url()));
        }
        Stream.of("HOLDFAST_SERVER", "HOLDFAST_STORE", "HOLDFAST_CONTEXT")
                .filter(variable -> Target.set(variable).isPresent())
                .findFirst()
                .ifPresent(variable -> output.say("holdfast: " + variable
                        + " is set here and counts more than the context. To use the context: unset " + variable));
    }
}
