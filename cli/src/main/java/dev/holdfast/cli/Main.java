package dev.holdfast.cli;

import dev.holdfast.cli.admin.DiagnoseCommand;
import dev.holdfast.cli.admin.DoctorCommand;
import dev.holdfast.cli.admin.MigrateCommand;
import dev.holdfast.cli.admin.SchemaCommand;
import dev.holdfast.cli.backup.BackupCommand;
import dev.holdfast.cli.backup.RestoreCommand;
import dev.holdfast.cli.context.ContextCommand;
import dev.holdfast.cli.exec.ExecCommand;
import dev.holdfast.cli.guard.GuardCommand;
import dev.holdfast.cli.help.CommandGroup;
import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.help.HelpText;
import dev.holdfast.cli.help.MistakeText;
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
import dev.holdfast.cli.locks.WaitCommand;
import dev.holdfast.cli.serve.CommandLog;
import dev.holdfast.cli.serve.ConfigCommand;
import dev.holdfast.cli.serve.HealthCommand;
import dev.holdfast.cli.serve.NotifyCommand;
import dev.holdfast.cli.serve.ServeCommand;
import dev.holdfast.cli.serve.TokenCommand;
import dev.holdfast.cli.state.StateCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureReport;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.cli.text.TimeConverters;
import dev.holdfast.cli.watch.TopCommand;
import dev.holdfast.cli.watch.WatchCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The {@code holdfast} command. Its work is done by subcommands, one class each. */
@Command(
        name = "holdfast",
        header = "Distributed locks with leases and fencing tokens.",
        customSynopsis = "holdfast [--context NAME] COMMAND [ARGUMENTS]",
        description = {
            "Commands ask the server at http://127.0.0.1:8080, unless --server, --store or a context names another place."
                    + " 'holdfast help COMMAND' has the options of a command, and examples."
        },
        footer = {
            "holdfast serve --demo                  # a server, with something to look at",
            "holdfast exec nightly -- ./report.sh   # never two of them at the same time",
            "holdfast ls                            # who holds what",
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Main {
    static final List<CommandGroup> GROUPS = List.of(
            CommandGroup.of(
                    "Locks",
                    ExecCommand.class,
                    AcquireCommand.class,
                    RenewCommand.class,
                    ReleaseCommand.class,
                    UnlockCommand.class),
            CommandGroup.of(
                    "Look",
                    LsCommand.class,
                    GetCommand.class,
                    ExplainCommand.class,
                    WatchCommand.class,
                    WaitCommand.class,
                    TopCommand.class,
                    HistoryCommand.class),
            CommandGroup.of("State", StateCommand.class),
            CommandGroup.of("Guard", GuardCommand.class),
            CommandGroup.of(
                    "Server",
                    ServeCommand.class,
                    HealthCommand.class,
                    DiagnoseCommand.class,
                    TokenCommand.class,
                    NotifyCommand.class,
                    ConfigCommand.class),
            CommandGroup.of(
                    "Store",
                    DoctorCommand.class,
                    CleanupCommand.class,
                    BackupCommand.class,
                    RestoreCommand.class,
                    SchemaCommand.class,
                    MigrateCommand.class),
            CommandGroup.of("Other", ContextCommand.class, CompletionCommand.class, Version.class, HelpCommand.class));

    private static final List<Class<?>> HIDDEN = List.of(
            DeployerCommand.class, NamesCommand.class, Reference.class, ManualCommand.class, RehearseCommand.class);

    private static final List<Class<?>> COMMANDS = Stream.concat(
                    GROUPS.stream().flatMap(group -> group.commands().stream()), HIDDEN.stream())
            .toList();

    /** Those whose log can be configured. */
    private static final List<Class<?>> WITH_LOG =
            List.of(ServeCommand.class, GuardCommand.class, RehearseCommand.class);

    private static final String CONTEXT = "--context";

    private static final List<String> OVERVIEW = List.of("-h", "--help");

    private static final int USUAL_WIDTH = 80;

    private static final int WIDEST = 120;

    @Option(
            names = CONTEXT,
            paramLabel = "NAME",
            description = "Use this context, whatever the command is; see 'holdfast help context'.")
    @SuppressWarnings("UnusedVariable") // read by commands that connect to something, from the declaration
    private Optional<String> context = Optional.empty();

    private Main() {}

    public static void main(String[] args) {
        if (Collections.disjoint(asked(args), WITH_LOG)) {
            CommandLog.use();
        }
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
                return Optional.of("holdfast: Word " + (i + 1)
                        + " of this command has characters that the locale does not support (LC_ALL, LC_CTYPE, LANG);"
                        + " they would be lost. Set LC_ALL=C.UTF-8, for cron too. Nothing was done");
            }
        }
        return Optional.empty();
    }

    public static CommandLine commandLine() {
        return with(COMMANDS);
    }

    /** With what these arguments need: to look at all commands takes longer than most of them take to run. */
    public static CommandLine commandLine(String... args) {
        if (args.length == 0 || (args.length == 1 && OVERVIEW.contains(args[0]))) {
            return outline();
        }
        List<Class<?>> asked = asked(args);
        return asked.equals(List.of(StateCommand.class))
                ? with(asked, named(StateCommand.SUBCOMMANDS, args, word(args) + 1))
                : with(asked);
    }

    /** The command that these arguments name; all if they name none. */
    private static List<Class<?>> asked(String... args) {
        return named(COMMANDS, args, word(args));
    }

    private static int word(String... args) {
        return args.length == 0 || !args[0].startsWith(CONTEXT) ? 0 : args[0].equals(CONTEXT) ? 2 : 1;
    }

    /** With as much of each command as the overview shows: its name, and what it does. */
    static CommandLine outline() {
        CommandLine command = new CommandLine(new Main());
        for (Class<?> type : COMMANDS) {
            Command said = type.getAnnotation(Command.class);
            CommandSpec spec = CommandSpec.create().name(said.name());
            spec.usageMessage()
                    .header(said.header())
                    .description(said.description())
                    .hidden(said.hidden());
            command.addSubcommand(said.name(), spec);
        }
        return finished(command);
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
        return finished(command);
    }

    private static CommandLine finished(CommandLine command) {
        command.setExpandAtFiles(false) // a word with @ in front may be the argument of a command that exec runs
                .registerConverter(Duration.class, new TimeConverters.OfDuration())
                .setParameterExceptionHandler((mistake, args) -> explain(mistake, List.of(args)))
                .setExecutionExceptionHandler(new FailureReport());
        help(command);
        return command;
    }

    /** Our own help, for it and all below it. */
    private static void help(CommandLine command) {
        command.setHelpSectionKeys(List.of("page"));
        command.setHelpSectionMap(Map.of("page", help -> {
            CommandLine asked = help.commandSpec().commandLine();
            return HelpText.of(CommandPage.of(asked, GROUPS), width(), Terminal.hasColours(Terminal.STDOUT));
        }));
    }

    private static int width() {
        return Math.min(WIDEST, Terminal.columns(Terminal.STDOUT).orElse(USUAL_WIDTH));
    }

    /** Says what is wrong on the command line, and where the help is, instead of pushing it off the screen with help. */
    private static int explain(ParameterException mistake, List<String> args) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        if (MistakeText.isCommandMissing(mistake)) {
            command.usage(err); // an answer to nobody's question: a script that lost its command must notice
            err.flush();
            return ExitCodes.USAGE;
        }
        err.println("holdfast: " + MistakeText.of(mistake, args));
        err.println("Usage: " + CommandPage.of(command, GROUPS).synopsis());
        err.println("Help: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return ExitCodes.USAGE;
    }

    private static String name(Class<?> type) {
        return type.getAnnotation(Command.class).name();
    }
}
