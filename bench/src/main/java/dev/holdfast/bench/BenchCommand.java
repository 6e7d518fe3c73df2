package dev.holdfast.bench;

import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
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

    /** What every part is asked: how long, and which of its steps. */
    private abstract static class Part implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        abstract void measure(PrintWriter out, Duration time, List<String> steps) throws Exception;

        final int run(int seconds, List<String> only, List<String> known) throws Exception {
            if (!known.containsAll(only)) {
                return mistake("--only takes " + known + ", was " + only);
            }
            if (seconds < 1 || seconds > 600) {
                return mistake("--seconds must be between 1 and 600, was " + seconds);
            }
            measure(spec.commandLine().getOut(), Duration.ofSeconds(seconds), only);
            return ExitCodes.OK;
        }

        private int mistake(String text) {
            spec.commandLine().getErr().println(text);
            return ExitCodes.USAGE;
        }
    }

    /** {@code holdfast bench core}. */
    @Command(
            name = "core",
            description = "Locks per second on SQLite, PostgreSQL and in memory, beside bare loops on the same disk and"
                    + " server, as ratios. Starts a PostgreSQL server of its own; all of it takes about ten minutes.",
            mixinStandardHelpOptions = true)
    static final class Core extends Part {
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

        @Override
        public Integer call() throws Exception {
            return run(seconds, only, CoreBench.PARTS);
        }

        @Override
        void measure(PrintWriter out, Duration time, List<String> steps) throws Exception {
            new CoreBench(out, time, steps).run();
        }
    }

    /** {@code holdfast bench server}. */
    @Command(
            name = "server",
            description =
                    "Locks per second over HTTP, beside an endpoint of the same server that does nothing, and what"
                            + " waiting requests cost. Takes about two minutes.",
            mixinStandardHelpOptions = true)
    static final class Server extends Part {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each step is measured (default ${DEFAULT-VALUE}).",
                defaultValue = "8")
        private int seconds;

        @Option(names = "--only", split = ",", paramLabel = "PART", description = "Only these: sqlite, memory, parked.")
        private List<String> only = ServerBench.PARTS;

        @Override
        public Integer call() throws Exception {
            return run(seconds, only, ServerBench.PARTS);
        }

        @Override
        void measure(PrintWriter out, Duration time, List<String> steps) throws Exception {
            new ServerBench(out, time, steps).run();
        }
    }

    /** {@code holdfast bench state}. */
    @Command(
            name = "state",
            description =
                    "Saving and loading state on SQLite, beside plain files on the same disk, and listing 10 000 stacks."
                            + " Takes about two minutes.",
            mixinStandardHelpOptions = true)
    static final class State extends Part {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each step is measured (default ${DEFAULT-VALUE}).",
                defaultValue = "8")
        private int seconds;

        @Override
        public Integer call() throws Exception {
            return run(seconds, List.of(), List.of());
        }

        @Override
        void measure(PrintWriter out, Duration time, List<String> steps) throws Exception {
            new StateBench(out, time).run();
        }
    }

    /** {@code holdfast bench guard}. */
    @Command(
            name = "guard",
            description =
                    "How fast the guard decides about a database that 100 apps share, and how much of a core it takes"
                            + " to watch 1000 databases. Takes about four minutes.",
            mixinStandardHelpOptions = true)
    static final class Guard extends Part {
        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long it watches (default ${DEFAULT-VALUE}).",
                defaultValue = "60")
        private int seconds;

        @Option(names = "--only", split = ",", paramLabel = "PART", description = "Only these: sharers, resources.")
        private List<String> only = GuardBench.PARTS;

        @Override
        public Integer call() throws Exception {
            return run(seconds, only, GuardBench.PARTS);
        }

        @Override
        void measure(PrintWriter out, Duration time, List<String> steps) throws Exception {
            new GuardBench(out, time, steps).run();
        }
    }
}
