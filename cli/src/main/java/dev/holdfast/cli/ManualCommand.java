package dev.holdfast.cli;

import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.help.ManualPage;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast manual}: the manual pages, one for the program and one for each command, for whoever packages it. */
@Command(
        name = "manual",
        header = "Write the manual pages into a directory.",
        description = "Writes holdfast.1, and a page such as holdfast-state-push.1 for each command.",
        footer = "holdfast manual target/man/man1",
        hidden = true)
final class ManualCommand extends PlainCommand {
    @Parameters(paramLabel = "DIRECTORY", description = "Where to; it is made if it is not there.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        List<CommandPage> pages = CommandPage.all(Main.commandLine(), Main.GROUPS);
        for (CommandPage page : pages) {
            Files.writeString(
                    directory.resolve(ManualPage.fileName(page)), ManualPage.of(page, pages, Version.holdfast()));
        }
        out().println(pages.size() + " manual pages are in " + directory);
        return ExitCodes.OK;
    }
}
