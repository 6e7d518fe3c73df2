package dev.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast version}: what is running, and on what. */
@Command(name = "version", description = "Prints the version of Holdfast, of Java and of the operating system.")
final class VersionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        for (String line : new Version().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }
}
