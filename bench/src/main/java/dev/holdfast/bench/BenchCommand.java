package dev.holdfast.bench;

import dev.holdfast.cli.text.CommandFamily;
import picocli.CommandLine.Command;

/** {@code holdfast bench}: measures on this machine. */
@Command(
        name = "bench",
        description = "Measures the engine and its stores on this machine.",
        subcommands = {CoreBench.class, ServerBench.class, StateBench.class, GuardBench.class},
        footer = {
            "",
            "Beside other lock libraries, built when first asked for: holdfast bench peers, and holdfast bench growth."
        })
final class BenchCommand extends CommandFamily {}
