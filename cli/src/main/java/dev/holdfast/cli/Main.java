package dev.holdfast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
            AcquireCommand.class,
            RenewCommand.class,
            ReleaseCommand.class,
            LsCommand.class,
            GetCommand.class,
            ExplainCommand.class,
            WatchCommand.class,
            HistoryCommand.class,
            UnlockCommand.class,
            CleanupCommand.class,
            DeployerCommand.class,
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
        // Names of locks may be in any script, whatever the locale of the shell says.
        CommandLine command = commandLine()
                .setOut(new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.exit(command.execute(args));
    }

    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new Main())
                .setExpandAtFiles(false) // a word with @ in front may be the argument of a command that exec runs
                .registerConverter(Duration.class, new DurationConverter())
                .setParameterExceptionHandler(new UsageMistake())
                .setExecutionExceptionHandler(new Excuses());
        Codes.fillIn(command);
        return command;
    }
}
