package dev.holdfast.bench.peers;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.CommandFamily;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code ./holdfast bench peers} and {@code ./holdfast bench growth} start in a checkout. */
public final class PeersMain {
    private PeersMain() {}

    public static void main(String[] args) {
        Main.run(args, commandLine());
    }

    static CommandLine commandLine() {
        return Main.with(List.of(PeersBench.class));
    }

    @Command(
            name = "bench",
            description = "Measures Holdfast beside other lock libraries on this machine.",
            subcommands = {PeersCommand.class, GrowthCommand.class})
    static final class PeersBench extends CommandFamily {}
}
