package dev.holdfast.cli;

import dev.holdfast.cli.help.MistakeText;
import dev.holdfast.cli.text.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "help",
        header = "Show this overview, or the help of a command.",
        description = "'holdfast COMMAND --help' shows the same.",
        footer = {"holdfast help exec", "holdfast help state push"},
        exitCodeList = {"0:Done.", "2:There is no such command."},
        mixinStandardHelpOptions = true)
final class HelpCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "A command, with those above it: 'state push'. Without it, all commands.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine found = words.isEmpty() ? Main.outline() : Main.commandLine();
        for (String word : words) {
            CommandLine next = found.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "There is no command '" + String.join(" ", words) + "'." + MistakeText.command(found, word));
            }
            found = next;
        }
        found.usage(spec.commandLine().getOut());
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }
}
