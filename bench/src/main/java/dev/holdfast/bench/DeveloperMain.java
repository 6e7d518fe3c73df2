package dev.holdfast.bench;

import dev.holdfast.bench.soak.SoakCommand;
import dev.holdfast.cli.Main;
import java.util.List;
import picocli.CommandLine;

/** What {@code ./holdfast simulate}, {@code bench} and {@code soak} start in a checkout. It is not part of what is handed out. */
public final class DeveloperMain {
    private DeveloperMain() {}

    public static void main(String[] args) {
        Main.run(args, commandLine());
    }

    static CommandLine commandLine() {
        return Main.with(List.of(SimulateCommand.class, BenchCommand.class, SoakCommand.class));
    }
}
