package dev.holdfast.cli.exec;

import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.Target;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What others are told about whoever holds a lock while a command runs. */
public final class HolderOptions {
    @Option(
            names = "--owner",
            paramLabel = "NAME",
            description =
                    "The name shown as the holder (default: the run of the CI system, else the name of the token, else"
                            + " USER@HOST).")
    private Optional<String> owner = Optional.empty();

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why you hold the lock; shown to others (default: the name of the command).")
    private Optional<String> reason = Optional.empty();

    /** May ask the server who is asking. */
    public String owner(Target target) throws InterruptedException {
        return owner.isPresent() ? owner.get() : Operator.label(target);
    }

    public Optional<String> reason() {
        return reason;
    }
}
