package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Stands in for a command for work on Holdfast itself, where what that needs is not there: programs that are handed out have neither
 * testkit nor benchmarks.
 */
final class CheckoutOnly implements Callable<Integer> {
    /** By command, a class that it needs. */
    private static final Map<Class<?>, String> NEEDS = Map.of(
            SimulateCommand.class, "dev.holdfast.testkit.simulation.Simulation",
            BenchCommand.class, "dev.holdfast.bench.CoreBench");

    private final CommandSpec spec;

    private CheckoutOnly(String name) {
        spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage().hidden(true);
        spec.parser().unmatchedArgumentsAllowed(true).unmatchedOptionsArePositionalParams(true);
    }

    /** Whether what a command needs is not there. Then its class must not be looked into: it names what is missing. */
    static boolean isMissing(Class<?> command) {
        String needed = NEEDS.get(command);
        if (needed == null) {
            return false;
        }
        try {
            Class.forName(needed, false, CheckoutOnly.class.getClassLoader());
            return false;
        } catch (ClassNotFoundException e) {
            return true;
        }
    }

    /** What is called by its name instead; help does not show it. */
    static CommandLine insteadOf(String name) {
        return new CommandLine(new CheckoutOnly(name).spec);
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
