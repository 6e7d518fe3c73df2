package dev.holdfast.cli;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code holdfast} command. Its work is done by subcommands, one class each. */
@Command(
        name = "holdfast",
        description = "Distributed locks with leases and fencing tokens.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
final class Main {
    /** In the order in which help shows them. */
    private static final List<Class<?>> COMMANDS = List.of(
            ServeCommand.class,
            HealthCommand.class,
            VersionCommand.class,
            DoctorCommand.class,
            SchemaCommand.class,
            MigrateCommand.class,
            ConfigCommand.class,
            TokenCommand.class,
            SimulateCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            NamesCommand.class,
            ReferenceCommand.class,
            RehearseCommand.class);

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    /** With all subcommands. */
    static CommandLine commandLine() {
        return with(COMMANDS);
    }

    /** With what these arguments need: to look at all commands takes longer than most of them take to run. */
    static CommandLine commandLine(String... args) {
        for (Class<?> type : COMMANDS) {
            if (args.length > 0 && name(type).equals(args[0])) {
                return with(List.of(type));
            }
        }
        return with(COMMANDS);
    }

    private static CommandLine with(List<Class<?>> subcommands) {
        CommandLine line = new CommandLine(new Main());
        for (Class<?> type : subcommands) {
            line.addSubcommand(type);
        }
        return line.registerConverter(Duration.class, new DurationConverter())
                .setExecutionExceptionHandler(new Excuses());
    }

    private static String name(Class<?> type) {
        return type.getAnnotation(Command.class).name();
    }
}
