package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Stands in for a command for work on Holdfast itself: those are a program of their own, in module bench. */
final class CheckoutOnly implements Callable<Integer> {
    private static final List<String> COMMANDS = List.of("simulate", "bench", "soak");

    private final CommandSpec spec;

    private CheckoutOnly(String name) {
        spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage().hidden(true).description("For work on Holdfast itself; run it in a checkout.");
        spec.parser().unmatchedArgumentsAllowed(true).unmatchedOptionsArePositionalParams(true);
    }

    /** Whoever knows such a command is told where it is; help does not show it. */
    static void addTo(CommandLine program) {
        COMMANDS.forEach(name -> program.addSubcommand(name, new CommandLine(new CheckoutOnly(name).spec)));
    }

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("'" + spec.name()
                        + "' is for work on Holdfast itself and not in this program. Run it in a checkout:"
                        + " ./holdfast " + spec.name());
        return ExitCodes.USAGE;
    }
}
