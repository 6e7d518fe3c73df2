package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast reference}: the page docs/CLI.md, with every command with its synopsis, options, exit codes and examples, as help shows them. */
@Command(
        name = "reference",
        description = "Prints the page docs/CLI.md: ./holdfast reference > docs/CLI.md",
        hidden = true)
final class Reference implements Callable<Integer> {
    private static final String INTRODUCTION = """
            # The command line

            Made from the commands themselves by `./holdfast reference > docs/CLI.md`; `holdfast COMMAND --help` shows the same.
            Data is on standard output, everything else on standard error. Times are written `500ms`, `30s`, `5m`, `1h30m`.
            In a checkout there are also `./holdfast simulate` and `./holdfast bench`, for work on Holdfast itself.

            | Environment | |
            |---|---|
            | `HOLDFAST_SERVER` | URL of the server, as `--server` |
            | `HOLDFAST_STORE` | URL of a store to work on without a server, as `--store` |
            | `HOLDFAST_STATE_STORE` | URL of the documents of `state`, where they are not beside the locks |
            | `HOLDFAST_STACK`, `HOLDFAST_ENVIRONMENT` | the stack of `state` commands that name none; set by `state run` |
            | `HOLDFAST_NAMESPACE` | namespace, as `--namespace` |
            | `HOLDFAST_TOKEN` | what proves to a server who asks |

            | Exit code | |
            |---|---|
            | 0 | done |
            | 1 | failed |
            | 2 | the command line is wrong |
            | 3 | not held |
            | 4 | the server does not know who asks, or does not allow it |
            | 5 | not confirmed |
            | 6 | a check said no |
            | 69 | server or store cannot be reached |
            | 75 | busy, or not free in time |
            | 76 | the lease was lost |

            """;

    private final StringBuilder page = new StringBuilder(INTRODUCTION);

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(of(Main.commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    static String of(CommandLine program) {
        Reference reference = new Reference();
        List<CommandLine> all = new ArrayList<>();
        collect(program, all);
        for (CommandLine command : all) {
            String name = command.getCommandSpec().qualifiedName();
            reference.line("- [`" + name + "`](#" + name.replace(' ', '-') + ")");
        }
        all.forEach(reference::section);
        return reference.page.toString();
    }

    private static void collect(CommandLine parent, List<CommandLine> all) {
        for (CommandLine command : parent.getSubcommands().values()) {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                all.add(command);
                collect(command, all);
            }
        }
    }

    private void section(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        line("\n## " + spec.qualifiedName() + "\n");
        line("```\n" + synopsis(command) + "\n```\n");
        paragraphs(usage.description());
        arguments(spec);
        if (!usage.exitCodeList().isEmpty()) {
            line("Exit codes:\n");
            usage.exitCodeList().forEach((code, meaning) -> line("- " + code.strip() + ": " + plain(meaning)));
            line("");
        }
        if (usage.footer().length > 0) {
            line("```sh");
            List.of(usage.footer()).forEach(example -> line(plain(example)));
            line("```\n");
        }
        page.setLength(page.length() - 1); // each part ends with an empty line; the section's own comes next
    }

    private static String synopsis(CommandLine command) {
        command.getCommandSpec().usageMessage().width(100);
        return new CommandLine.Help(command.getCommandSpec(), CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .strip();
    }

    /** Lines that start with blanks are a table or an example: they stay lines. */
    private void paragraphs(String... lines) {
        boolean inside = false;
        for (String text : lines) {
            boolean code = text.startsWith("  ");
            if (code != inside) {
                line("```");
                inside = code;
            }
            if (code) {
                line(plain(text).stripTrailing().substring(2));
            } else if (text.startsWith("Example: ")) {
                line("Example: `" + plain(text.substring("Example: ".length())) + "`");
            } else {
                line(escaped(text));
            }
        }
        if (inside) {
            line("```");
        }
        line("");
    }

    private void arguments(CommandSpec spec) {
        List<String> rows = new ArrayList<>();
        spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .forEach(parameter -> rows.add(row("`" + parameter.paramLabel() + "`", parameter)));
        spec.options().stream()
                .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                .sorted(Comparator.comparing(Reference::place))
                .forEach(option -> rows.add(row(names(option), option)));
        if (!rows.isEmpty()) {
            line("| | |");
            line("|---|---|");
            rows.forEach(this::line);
            line("");
        }
    }

    /** What nearly every command has comes last: where the locks are, and how things are shown. */
    private static int place(OptionSpec option) {
        Class<?> group = ((Field) option.userObject()).getDeclaringClass();
        return group.equals(Output.class) ? 2 : group.getSimpleName().endsWith("Target") ? 1 : 0;
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return List.of(option.names()).stream()
                .map(name -> "`" + name + value + "`")
                .collect(Collectors.joining(", "));
    }

    private static String row(String name, ArgSpec argument) {
        String text = String.join(" ", argument.description());
        return "| " + name.replace("|", "\\|") + " | " + escaped(text).replace("|", "\\|")
                + (argument.required() ? " Required." : "") + " |";
    }

    private static String escaped(String text) {
        return plain(text).replace("<", "&lt;").replace("*", "\\*");
    }

    /** Without what help would replace. */
    private static String plain(String text) {
        return text.replace("$$", "$").replace("%%", "%").replace("@|bold ", "").replace("|@", "");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
