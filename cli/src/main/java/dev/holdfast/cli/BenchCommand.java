package dev.holdfast.cli;

import dev.holdfast.bench.CoreBench;
import dev.holdfast.bench.GuardBench;
import dev.holdfast.bench.ServerBench;
import dev.holdfast.bench.StateBench;
import dev.holdfast.cli.text.ExitCodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast bench}: measures on this machine. */
@Command(
        name = "bench",
        description = "Measures the engine and its stores on this machine.",
        mixinStandardHelpOptions = true,
        subcommands = {
            BenchCommand.Core.class,
            BenchCommand.Server.class,
            BenchCommand.State.class,
            BenchCommand.Guard.class
        },
        synopsisSubcommandLabel = "COMMAND")
final class BenchCommand {
    private BenchCommand() {}

    /** {@code holdfast bench core}. */
    @Command(
            name = "core",
            description = "Locks per second on SQLite, PostgreSQL and in memory, beside bare loops on the same disk and"
                    + " server, as ratios. Starts a PostgreSQL server of its own; all of it takes about ten minutes.",
            mixinStandardHelpOptions = true)
    static final class Core implements Callable<Integer> {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each step is measured (default ${DEFAULT-VALUE}).",
                defaultValue = "3")
        private int seconds;

        @Option(
                names = "--only",
                split = ",",
                paramLabel = "PART",
                description = "Only these: sqlite, postgresql, memory.")
        private List<String> only = CoreBench.PARTS;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            if (!CoreBench.PARTS.containsAll(only)) {
                spec.commandLine().getErr().println("--only takes " + CoreBench.PARTS + ", was " + only);
                return ExitCodes.USAGE;
            }
            if (seconds < 1 || seconds > 600) {
                spec.commandLine().getErr().println("--seconds must be between 1 and 600, was " + seconds);
                return ExitCodes.USAGE;
            }
            new CoreBench(spec.commandLine().getOut(), Duration.ofSeconds(seconds), only).run();
            return ExitCodes.OK;
        }
    }

    /** {@code holdfast bench server}. */
    @Command(
            name = "server",
            description =
                    "Locks per second over HTTP, beside an endpoint of the same server that does nothing, and what"
                            + " waiting requests cost. Takes about two minutes.",
            mixinStandardHelpOptions = true)
    static final class Server implements Callable<Integer> {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each step is measured (default ${DEFAULT-VALUE}).",
                defaultValue = "8")
        private int seconds;

        @Option(names = "--only", split = ",", paramLabel = "PART", description = "Only these: sqlite, memory, parked.")
        private List<String> only = ServerBench.PARTS;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            if (!ServerBench.PARTS.containsAll(only)) {
                spec.commandLine().getErr().println("--only takes " + ServerBench.PARTS + ", was " + only);
                return ExitCodes.USAGE;
            }
            if (seconds < 1 || seconds > 600) {
                spec.commandLine().getErr().println("--seconds must be between 1 and 600, was " + seconds);
                return ExitCodes.USAGE;
            }
            new ServerBench(spec.commandLine().getOut(), Duration.ofSeconds(seconds), only).run();
            return ExitCodes.OK;
        }
    }

    /** {@code holdfast bench state}. */
    @Command(
            name = "state",
            description =
                    "Saving and loading state on SQLite, beside plain files on the same disk, and listing 10 000 stacks."
                            + " Takes about two minutes.",
            mixinStandardHelpOptions = true)
    static final class State implements Callable<Integer> {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each step is measured (default ${DEFAULT-VALUE}).",
                defaultValue = "8")
        private int seconds;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            if (seconds < 1 || seconds > 600) {
                spec.commandLine().getErr().println("--seconds must be between 1 and 600, was " + seconds);
                return ExitCodes.USAGE;
            }
            new StateBench(spec.commandLine().getOut(), Duration.ofSeconds(seconds)).run();
            return ExitCodes.OK;
        }
    }

    /** {@code holdfast bench guard}. */
    @Command(
            name = "guard",
            description =
                    "How fast the guard decides about a database that 100 apps share, and how much of a core it takes"
                            + " to watch 1000 databases. Takes about four minutes.",
            mixinStandardHelpOptions = true)
    static final class Guard implements Callable<Integer> {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long it watches (default ${DEFAULT-VALUE}).",
                defaultValue = "60")
        private int seconds;

        @Option(names = "--only", split = ",", paramLabel = "PART", description = "Only these: sharers, resources.")
        private List<String> only = GuardBench.PARTS;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            if (!GuardBench.PARTS.containsAll(only)) {
                spec.commandLine().getErr().println("--only takes " + GuardBench.PARTS + ", was " + only);
                return ExitCodes.USAGE;
            }
            if (seconds < 1 || seconds > 600) {
                spec.commandLine().getErr().println("--seconds must be between 1 and 600, was " + seconds);
                return ExitCodes.USAGE;
            }
            new GuardBench(spec.commandLine().getOut(), Duration.ofSeconds(seconds), only).run();
            return ExitCodes.OK;
        }
    }
}
