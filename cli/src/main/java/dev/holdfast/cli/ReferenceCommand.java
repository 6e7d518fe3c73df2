package dev.holdfast.cli;

import dev.holdfast.cli.text.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast reference}: prints docs/CLI.md. */
@Command(
        name = "reference",
        description = "Prints the page docs/CLI.md: ./holdfast reference > docs/CLI.md",
        hidden = true)
final class ReferenceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(Reference.of(Main.commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }
}
