package dev.holdfast.cli.exec;

import dev.holdfast.AcquireOptions;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What {@code exec} was asked to do.
 *
 * @param command what to run, word by word
 * @param patience how long to wait for the lock: zero for not at all, empty for as long as it takes
 * @param rule the lease, and when the child is stopped for it
 * @param busyCode exit code when the lock was not free in time; empty when that means the work is skipped
 */
public record ExecPlan(
        LockKey key,
        List<String> command,
        Optional<Duration> patience,
        KillRule rule,
        Loss loss,
        Consumer<AcquireOptions> share,
        String owner,
        String reason,
        Map<String, String> metadata,
        Optional<Integer> busyCode,
        Optional<Path> report,
        boolean quiet) {

    /**
     * What is done when the lease is lost, once the command has ended.
     *
     * @param command for the shell; nothing if empty
     * @param again whether the lock is taken again, and the command run again
     */
    public record Loss(Optional<String> command, boolean again) {
        /** Only said, and told by the exit code. */
        public static final Loss REPORTED = new Loss(Optional.empty(), false);
    }

    /** Without its directory, and without its arguments: those may be secrets. */
    public static String programName(List<String> command) {
        String program = command.get(0);
        return Screen.clean(program.substring(program.lastIndexOf('/') + 1));
    }

    LockWait.WantedLock wanted() {
        return new LockWait.WantedLock(key, owner, patience, quiet, this::ask);
    }

    private void ask(AcquireOptions options, Duration wait) {
        options.waitUpTo(wait).lease(rule.lease()).owner(owner).reason(reason);
        metadata.forEach(options::metadata);
        share.accept(options);
    }
}
