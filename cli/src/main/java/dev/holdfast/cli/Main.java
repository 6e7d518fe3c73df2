package dev.holdfast.cli;

import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code holdfast} command. Its work is done by subcommands, one class each. */
@Command(
        name = "holdfast",
        description = "Distributed locks with leases and fencing tokens.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            ServeCommand.class,
            ExecCommand.class,
            HealthCommand.class,
            VersionCommand.class,
            DoctorCommand.class,
            SchemaCommand.class,
            ConfigCommand.class,
            TokenCommand.class,
            SimulateCommand.class,
            BenchCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExpandAtFiles(false) // a word with @ in front may be the argument of a command that exec runs
                .registerConverter(Duration.class, new DurationConverter())
                .setExecutionExceptionHandler(new Excuses());
    }
}
