package dev.holdfast.cli;

import dev.holdfast.cli.help.MistakeText;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "help",
        header = "Show this overview, or the help of a command.",
        description = "'holdfast COMMAND --help' shows the same.",
        footer = {"holdfast help exec", "holdfast help state push"},
        exitCodeList = {"0:Done.", "2:There is no such command."})
final class HelpCommand extends PlainCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "A command, with those above it: 'state push'. Without it, all commands.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        CommandLine found = words.isEmpty() ? Main.outline() : Main.commandLine();
        for (String word : words) {
            CommandLine next = found.getSubcommands().get(word);
            if (next == null) {
                throw mistake(
                        "There is no command '" + String.join(" ", words) + "'." + MistakeText.command(found, word));
            }
            found = next;
        }
        found.usage(out());
        out().flush();
        return ExitCodes.OK;
    }
}
