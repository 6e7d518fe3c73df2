package dev.holdfast.cli.locks;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.OtherNamespaceHint;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "unlock",
        header = "End a hold by force, after showing whose it is.",
        description = {
            "Shows the holder first and asks: 'yes' for a stale holder, the name of the lock for one that is"
                    + " alive. Without a terminal, add --yes for a stale holder, --force and --reason for one that"
                    + " is alive.",
            "",
            "The holder learns of it at its next renewal. Until then, only what checks the fencing token is"
                    + " protected from it."
        },
        footer = {"holdfast unlock deploy-web", "holdfast unlock deploy-web --yes --force --reason 'runner 5 is gone'"},
        exitCodeList = {
            Codes.USUAL,
            "3:Nobody holds it, or somebody other than the one that was shown.",
            Codes.NOT_CONFIRMED
        })
public final class UnlockCommand extends TargetCommand {
    @Mixin
    private LockArgument lock;

    @Mixin
    private UnlockOptions options;

    @Option(
            names = {"-f", "--force"},
            description =
                    "Also end a hold that is not stale: only 'yes' is asked for, and nothing without a terminal. Needs"
                            + " --reason.")
    private boolean force;

    @Option(names = "--path", paramLabel = "PATH", description = "Only a hold of this part of the lock.")
    private Optional<String> path = Optional.empty();

    @Override
    protected int run() {
        LockKey key = lock.key(target, path);
        if (force && options.reason().isEmpty()) {
            throw mistake("--force needs a reason, for the holder who finds the lock gone. Example: --force --reason"
                    + " 'worker-7 was shut down'");
        }
        ForcedUnlock.UnlockRequest wish = new ForcedUnlock.UnlockRequest(options, path, force, "lock", key.name());
        try (LockClient locks = target.openExisting(Operator.config())) {
            int code = new ForcedUnlock(spec, output, key, wish).on(locks);
            if (code == ExitCodes.NOT_HELD) {
                OtherNamespaceHint.tell(output, locks.inspect(), key, lock.word());
            }
            return code;
        }
    }
}
