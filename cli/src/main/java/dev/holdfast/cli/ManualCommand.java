package dev.holdfast.cli;

import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.help.ManualPage;
import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast manual}: the manual pages, one for the program and one for each command, for whoever packages it. */
@Command(
        name = "manual",
        header = "Write the manual pages into a directory.",
        description = "Writes holdfast.1, and a page such as holdfast-state-push.1 for each command.",
        footer = "holdfast manual target/man/man1",
        hidden = true,
        mixinStandardHelpOptions = true)
final class ManualCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIRECTORY", description = "Where to; it is made if it is not there.")
    private Path directory = Path.of("");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        List<CommandPage> pages = CommandPage.all(Main.commandLine(), Main.GROUPS);
        for (CommandPage page : pages) {
            Files.writeString(
                    directory.resolve(ManualPage.fileName(page)), ManualPage.of(page, pages, Version.holdfast()));
        }
        spec.commandLine().getOut().println(pages.size() + " manual pages are in " + directory);
        return ExitCodes.OK;
    }
}
