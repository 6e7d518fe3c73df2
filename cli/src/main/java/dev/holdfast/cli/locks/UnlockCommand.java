package dev.holdfast.cli.locks;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast unlock}: ends somebody's hold by force, after showing whose it is. */
@Command(
        name = "unlock",
        description = {
            "Ends a hold by force. Shows the holder first and asks: 'yes' for a stale holder, the name of the lock for one",
            "that is not. The holder learns of it at its next renewal; until then only what checks the fencing token is",
            "protected from it. Without a terminal nothing can be asked: add --yes."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            Codes.USAGE,
            "3:Nobody holds it, or another than the one that was shown.",
            Codes.REFUSED,
            Codes.NOT_CONFIRMED,
            Codes.UNREACHABLE
        })
public final class UnlockCommand implements Callable<Integer> {
    @Mixin
    private LockArgument lock;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Option(
            names = {"-f", "--force"},
            description = "The holder need not be stale: ask only for 'yes'. Needs --reason.")
    private boolean force;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for the history and for who finds the lock gone.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--token", paramLabel = "N", description = "The fencing token of the hold, if there are several.")
    private Optional<Long> token = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "Only a hold of this part of the lock.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        LockKey key = lock.key(target, path);
        if (force && reason.filter(it -> !it.isBlank()).isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--force needs a reason, for who finds the lock gone. Example: --force --reason 'worker-7 was shut down'");
        }
        ForcedUnlock.Wish wish = new ForcedUnlock.Wish(token, path, yes, force, reason, "lock", key.name());
        try (LockClient locks = target.openExisting(Operator.config())) {
            return new ForcedUnlock(spec, output, key, wish).on(locks);
        }
    }
}
