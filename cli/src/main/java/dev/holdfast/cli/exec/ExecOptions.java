package dev.holdfast.cli.exec;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

public final class ExecOptions {
    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DUR",
            description = "Wait at most this long for the lock (default: as long as it takes).")
    private Optional<Duration> wait = Optional.empty();

    @Option(
            names = {"-n", "--nonblock"},
            description = "Do not wait.")
    private boolean nonblock;

    @Option(
            names = "--kill-after",
            paramLabel = "DUR",
            description =
                    "How long the command may take to end when the lock is about to be lost; at most half the lease"
                            + " (default 10s, or a third of a lease below 30s).")
    private Optional<Duration> killAfter = Optional.empty();

    @Option(
            names = "--metadata",
            paramLabel = "NAME=VALUE",
            description = "More information for others to see; can be repeated.")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print only failures.")
    private boolean quiet;

    /** How long to wait: zero for not at all, empty for as long as it takes; {@code otherwise} if nothing is said about it. */
    public Optional<Duration> patience(Optional<Duration> otherwise) {
        if (nonblock && wait.isPresent()) {
            throw new IllegalArgumentException("-n does not wait, and --wait does. Leave one of them out");
        }
        return nonblock ? Optional.of(Duration.ZERO) : wait.or(() -> otherwise);
    }

    /** When the command is stopped because a lease of this length cannot be renewed. */
    public KillRule rule(Duration lease) {
        return killAfter.map(time -> new KillRule(lease, time)).orElseGet(() -> KillRule.of(lease));
    }

    public Map<String, String> metadata() {
        return metadata;
    }

    public boolean isQuiet() {
        return quiet;
    }
}
