package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        header = "Print a script for completion in bash, zsh or fish.",
        description = {
            "It completes commands, options, contexts and, by asking the server or store, the names of locks.",
            "",
            "  bash   source <(holdfast completion bash)        in ~/.bashrc",
            "  zsh    source <(holdfast completion zsh)         in ~/.zshrc, after compinit",
            "  fish   holdfast completion fish > ~/.config/fish/completions/holdfast.fish"
        },
        footer = "source <(holdfast completion bash)",
        exitCodeList = {"0:Done.", "2:The command line is wrong."})
final class CompletionCommand extends PlainCommand {
    /** The constants are spelled as people type them. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        out().print(script(shell, Main.commandLine()));
        out().flush();
        return ExitCodes.OK;
    }

    /** What looks at the line, with the table of what there is. */
    static String script(Shell shell, CommandLine program) {
        CompletionTable table = new CompletionTable(program);
        return driver(shell).replace("@TABLE@\n", shell == Shell.fish ? table.fish() : table.posix());
    }

    private static String driver(Shell shell) {
        String resource = "completion." + shell;
        try (InputStream in = CompletionCommand.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar; build it again.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + resource, e);
        }
    }
}
