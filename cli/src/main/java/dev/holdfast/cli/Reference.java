package dev.holdfast.cli;

import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.help.CommandPage.Entry;
import dev.holdfast.cli.help.CommandPage.Section;
import dev.holdfast.cli.help.ProgramFacts;
import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast reference}: the page docs/CLI.md, with every command with its synopsis, examples, options and exit codes, as help shows them. */
@Command(
        name = "reference",
        description = "Prints the page docs/CLI.md: ./holdfast reference > docs/CLI.md",
        hidden = true)
final class Reference implements Callable<Integer> {
    private static final String INTRODUCTION = """
            # The command line

            Made from the commands themselves by `./holdfast reference > docs/CLI.md`; `holdfast help COMMAND` and
            `holdfast COMMAND --help` show the same, and so do the manual pages. Data is on standard output, everything else on
            standard error. In a checkout there are also `./holdfast simulate`, `bench` and `soak`, for work on Holdfast itself.

            Durations are written `500ms`, `30s`, `5m`, `1h30m` or `2d`. A number alone is seconds: `30`, or `0.5`.

            `holdfast` alone shows the commands on standard error and exits with 2, so that a script that lost its command notices.
            `holdfast help` shows them on standard output and exits with 0.

            Which setting takes precedence: a flag, then the environment, then the context, then the default. How that keeps a token from
            reaching another server: [contexts](#holdfast-context).
            """;

    @Spec
    private CommandSpec spec;

    private final StringBuilder page = new StringBuilder(INTRODUCTION);

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(of(Main.commandLine()));
        out.flush();
        return ExitCodes.OK;
    }

    static String of(CommandLine program) {
        Reference reference = new Reference();
        List<CommandPage> all = CommandPage.all(program, Main.GROUPS);
        reference.table("Environment", ProgramFacts.environment());
        reference.table("Exit code", ProgramFacts.exitCodes());
        all.get(0).commands().forEach(group -> reference.contents(group, all));
        all.subList(1, all.size()).forEach(reference::section);
        return reference.page.toString();
    }

    private void table(String title, Map<String, String> rows) {
        line("\n| " + title + " | |\n|---|---|");
        rows.forEach((name, text) -> line("| `" + name + "` | " + escaped(text) + " |"));
    }

    private void contents(Section group, List<CommandPage> all) {
        line("\n**" + group.title() + "**\n");
        for (Entry entry : group.entries()) {
            String top = "holdfast " + entry.name();
            all.stream()
                    .filter(command ->
                            command.name().equals(top) || command.name().startsWith(top + " "))
                    .forEach(command -> line("- [`" + command.name() + "`](#"
                            + command.name().replace(' ', '-') + "): " + escaped(command.summary())));
        }
    }

    private void section(CommandPage command) {
        line("\n## " + command.name() + "\n");
        line(escaped(command.summary()) + "\n");
        line("```\n" + command.synopsis() + "\n```");
        if (!command.examples().isEmpty()) {
            line("\n```sh");
            command.examples().forEach(this::line);
            line("```");
        }
        paragraphs(command.text());
        arguments(command);
        if (!command.exitCodes().isEmpty()) {
            line("\nExit codes:\n");
            command.exitCodes().forEach((code, meaning) -> line("- " + code + ": " + escaped(meaning)));
        }
    }

    /** Lines that start with blanks are a table or an example: they stay lines. */
    private void paragraphs(List<String> text) {
        boolean inside = false;
        boolean list = false;
        for (String paragraph : text) {
            boolean code = paragraph.startsWith("  ");
            if (code != inside) {
                line(code ? "\n```" : "```");
                inside = code;
            }
            if (code) {
                line(paragraph.stripTrailing().substring(2));
            } else if (!paragraph.isEmpty()) {
                boolean item = paragraph.startsWith("- ");
                line((item && list ? "" : "\n") + escaped(paragraph));
                list = item;
            }
        }
        if (inside) {
            line("```");
        }
    }

    private void arguments(CommandPage command) {
        List<Section> options = command.options();
        if (command.arguments().isEmpty() && options.isEmpty()) {
            return;
        }
        line("\n| | |\n|---|---|");
        command.arguments().forEach(this::row);
        options.forEach(section -> section.entries().forEach(this::row));
        if (command.hasDurations()) {
            line("\n" + escaped(ProgramFacts.DURATIONS));
        }
    }

    private void row(Entry entry) {
        line("| `" + entry.name().replace("|", "\\|") + "` | "
                + escaped(entry.text()).replace("|", "\\|") + " |");
    }

    private static String escaped(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
