package dev.holdfast.cli.exec;

import dev.holdfast.AcquireOptions;
import dev.holdfast.model.Mode;
import java.util.Optional;
import picocli.CommandLine.Option;

public final class SharingOptions {
    @Option(
            names = {"-s", "--shared"},
            description = "Hold the lock together with others who also use --shared.")
    private boolean shared;

    @Option(names = "--permit", paramLabel = "N", description = "Be one of at most N who hold it at the same time.")
    private Optional<Integer> permit = Optional.empty();

    /** Refuses what contradicts itself, before anything is asked for. */
    public SharingOptions checked() {
        if (shared && permit.isPresent()) {
            throw new IllegalArgumentException("--shared has no limit, and --permit is one. Leave one of them out");
        }
        permit.ifPresent(Mode::permit);
        return this;
    }

    public void apply(AcquireOptions options) {
        if (shared) {
            options.shared();
        }
        permit.ifPresent(options::permit);
    }
}
