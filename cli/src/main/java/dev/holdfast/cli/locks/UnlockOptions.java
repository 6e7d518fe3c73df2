package dev.holdfast.cli.locks;

import java.util.Optional;
import picocli.CommandLine.Option;

public final class UnlockOptions {
    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    boolean yes;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why; kept in the history, for the holder who finds the lock gone.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--token", paramLabel = "N", description = "The fencing token of the hold, if there are several.")
    Optional<Long> token = Optional.empty();

    Optional<String> reason() {
        return reason.filter(it -> !it.isBlank());
    }
}
