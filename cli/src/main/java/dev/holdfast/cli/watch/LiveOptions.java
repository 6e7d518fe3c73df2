package dev.holdfast.cli.watch;

import java.time.Duration;
import picocli.CommandLine.Option;

public final class LiveOptions {
    @Option(
            names = "--every",
            paramLabel = "DUR",
            defaultValue = "2s",
            description =
                    "When live, refresh at least this often (default ${DEFAULT-VALUE}); events are shown at once.")
    private Duration every = Duration.ofSeconds(2);

    @Option(names = "--count", paramLabel = "N", description = "When live, stop after this many updates.")
    private long count = Long.MAX_VALUE;

    Duration every() {
        if (every.compareTo(LivePicture.SHORTEST) < 0) {
            throw new IllegalArgumentException("--every must be at least " + LivePicture.SHORTEST.toMillis() + "ms");
        }
        return every;
    }

    long count() {
        if (count < 1) {
            throw new IllegalArgumentException("--count must be at least 1");
        }
        return count;
    }
}
