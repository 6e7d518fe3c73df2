package dev.holdfast.cli;

import dev.holdfast.cli.admin.DoctorCommand;
import dev.holdfast.cli.admin.MigrateCommand;
import dev.holdfast.cli.admin.SchemaCommand;
import dev.holdfast.cli.exec.ExecCommand;
import dev.holdfast.cli.guard.GuardCommand;
import dev.holdfast.cli.locks.AcquireCommand;
import dev.holdfast.cli.locks.CleanupCommand;
import dev.holdfast.cli.locks.DeployerCommand;
import dev.holdfast.cli.locks.ExplainCommand;
import dev.holdfast.cli.locks.GetCommand;
import dev.holdfast.cli.locks.HistoryCommand;
import dev.holdfast.cli.locks.LsCommand;
import dev.holdfast.cli.locks.ReleaseCommand;
import dev.holdfast.cli.locks.RenewCommand;
import dev.holdfast.cli.locks.UnlockCommand;
import dev.holdfast.cli.locks.WatchCommand;
import dev.holdfast.cli.serve.ConfigCommand;
import dev.holdfast.cli.serve.HealthCommand;
import dev.holdfast.cli.serve.ServeCommand;
import dev.holdfast.cli.serve.TokenCommand;
import dev.holdfast.cli.state.StateCommand;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureReport;
import dev.holdfast.cli.text.TimeConverters;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code holdfast} command. Its work is done by subcommands, one class each. */
@Command(
        name = "holdfast",
        description = "Distributed locks with leases and fencing tokens.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    /** In the order in which help shows them. */
    private static final List<Class<?>> COMMANDS = List.of(
            ServeCommand.class,
            ExecCommand.class,
            HealthCommand.class,
            Version.class,
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
            StateCommand.class,
            DeployerCommand.class,
            GuardCommand.class,
            DoctorCommand.class,
            SchemaCommand.class,
            MigrateCommand.class,
            ConfigCommand.class,
            TokenCommand.class,
            CompletionCommand.class,
            NamesCommand.class,
            Reference.class,
            RehearseCommand.class);

    private Main() {}

    public static void main(String[] args) {
        run(args, commandLine(args));
    }

    /** Runs a program, and ends this process with its exit code. */
    public static void run(String[] args, CommandLine program) {
        // Names of locks may be in any script, whatever the locale of the shell says.
        CommandLine command = program.setOut(
                        new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        Optional<String> unreadable = unreadable(args);
        unreadable.ifPresent(command.getErr()::println);
        System.exit(unreadable.isPresent() ? ExitCodes.USAGE : command.execute(args));
    }

    /** Java reads words by the locale. What that does not know comes as this sign: different names would be one lock. */
    private static Optional<String> unreadable(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].indexOf('\ufffd') >= 0) {
                return Optional.of(
                        "holdfast: Word " + (i + 1) + " of this command has characters that the locale does not"
                                + " know (LC_ALL, LC_CTYPE, LANG); they would be lost. Set LC_ALL=C.UTF-8, for cron too."
                                + " Nothing was done");
            }
        }
        return Optional.empty();
    }

    /** With all subcommands. */
    public static CommandLine commandLine() {
        return with(COMMANDS);
    }

    /** With what these arguments need: to look at all commands takes longer than most of them take to run. */
    public static CommandLine commandLine(String... args) {
        List<Class<?>> named = named(COMMANDS, args, 0);
        return named.equals(List.of(StateCommand.class))
                ? with(named, named(StateCommand.SUBCOMMANDS, args, 1))
                : with(named);
    }

    /** The one that this word names; all if it names none. */
    private static List<Class<?>> named(List<Class<?>> types, String[] args, int word) {
        for (Class<?> type : types) {
            if (args.length > word && name(type).equals(args[word])) {
                return List.of(type);
            }
        }
        return types;
    }

    /** With these subcommands instead, for a program of developers. */
    public static CommandLine with(List<Class<?>> subcommands) {
        return with(subcommands, StateCommand.SUBCOMMANDS);
    }

    private static CommandLine with(List<Class<?>> subcommands, List<Class<?>> ofState) {
        CommandLine command = new CommandLine(new Main());
        subcommands.forEach(command::addSubcommand);
        if (subcommands.equals(COMMANDS)) {
            CheckoutOnly.addTo(command);
        }
        Optional.ofNullable(command.getSubcommands().get("state"))
                .ifPresent(state -> ofState.forEach(state::addSubcommand));
        command.setExpandAtFiles(false) // a word with @ in front may be the argument of a command that exec runs
                .registerConverter(Duration.class, new TimeConverters.OfDuration())
                .setParameterExceptionHandler((mistake, args) -> explain(mistake))
                .setExecutionExceptionHandler(new FailureReport());
        Codes.fillIn(command);
        return command;
    }

    /** Says what is wrong on the command line, and where the help is, instead of pushing it off the screen with help. */
    private static int explain(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("holdfast: " + mistake.getMessage());
        UnmatchedArgumentException.printSuggestions(mistake, err);
        err.println("Usage: " + command.getHelp().synopsis("Usage: ".length()).stripTrailing());
        err.println("Help: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return ExitCodes.USAGE;
    }

    private static String name(Class<?> type) {
        return type.getAnnotation(Command.class).name();
    }
}
