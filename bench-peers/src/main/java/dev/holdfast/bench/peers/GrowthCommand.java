package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.report.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast bench growth}: whether an operation costs the same however much there is of everything else. */
@Command(
        name = "growth",
        description =
                "Holdfast on PostgreSQL with more and more records, waiters, replicas and held leases. Takes up to 45"
                        + " minutes, with --quick up to five.",
        mixinStandardHelpOptions = true)
final class GrowthCommand implements Callable<Integer> {
    private static final int FEWEST = 1_000;
    private static final int MOST = 10_000_000;

    @Mixin
    private PeersOptions options;

    @Option(
            names = "--most",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "The most records, from 1000 to 10000000, and at most as many waiters and leases (default ${DEFAULT-VALUE}).")
    private int most;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "WHAT",
            description = "Only more of these: ${COMPLETION-CANDIDATES} (default all).")
    private Set<GrowthPart.Of> only = EnumSet.allOf(GrowthPart.Of.class);

    @Override
    public Integer call() throws Exception {
        if (most < FEWEST || most > MOST) {
            return options.mistake("--most must be between " + FEWEST + " and " + MOST + ", was " + most);
        }
        return options.run(List.of(Part.GROWTH), (part, comparison) -> new GrowthPart(comparison, most, only).once());
    }
}
