package dev.holdfast.cli.locks;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.AmbiguousWordCheck;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.OtherNamespaceHint;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.exec.LockWait;
import dev.holdfast.cli.exec.SharingOptions;
import dev.holdfast.cli.exec.Signals;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.StoreException;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "acquire",
        header = "Take a lock and print its lease id, fencing token and end.",
        description = {
            "Nothing renews the lock after that. It ends by itself after --lease, unless you run 'holdfast renew' in"
                    + " time. When the work is done, run 'holdfast release'.",
            "",
            "To run a command under a lock, 'holdfast exec' is safer: it renews the lock, and stops the command"
                    + " when the lock is lost.",
            "",
            "With -o name: only the lease id."
        },
        footer = {
            "holdfast acquire nightly-report --lease 10m --reason 'month end'",
            "id=$$(holdfast acquire deploy-web --wait 5m -o name)",
            "holdfast release deploy-web --lease-id \"$$id\""
        },
        exitCodeList = {Codes.USUAL, Codes.BUSY, Codes.LOST})
public final class AcquireCommand extends TargetCommand {
    @Mixin
    private LockArgument lock;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DUR",
            defaultValue = "0s",
            description = "Wait at most this long for the lock, in fair order (default: do not wait).")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            defaultValue = "30s",
            description = "How long it is held unless renewed, 100ms to 24h (default ${DEFAULT-VALUE}).")
    private Duration lease = AcquireOptions.DEFAULT_LEASE;

    @Mixin
    private SharingOptions sharing;

    @Option(names = "--path", paramLabel = "PATH", description = "Only this part of the lock, such as web/api.")
    private Optional<String> path = Optional.empty();

    @Option(
            names = "--owner",
            paramLabel = "NAME",
            description =
                    "The name shown as the holder (default: the run of the CI system, else the name of the token, else"
                            + " USER@HOST).")
    private Optional<String> owner = Optional.empty();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why you hold the lock; shown to others.")
    private String reason = "";

    @Option(
            names = "--metadata",
            paramLabel = "KEY=VALUE",
            description = "More information for others to see; can be repeated.")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Option(
            names = "--lease-id",
            paramLabel = "ID",
            description = "Choose the lease id yourself: asking again with the same id gives the same hold.")
    private Optional<String> leaseId = Optional.empty();

    @Override
    protected int run() throws InterruptedException {
        LockKey key = lock.key(target, path);
        sharing.checked();
        try (LockClient locks = target.open(Operator.config())) {
            AmbiguousWordCheck.check(locks, target, lock.word(), key);
            if (target.isAnywhere(lock.word())) {
                OtherNamespaceHint.hint(locks.inspect(), key, lock.word()).ifPresent(output::say);
            }
            Optional<Attempt<Lease>> waited = waited(locks, key);
            if (waited.isEmpty()) {
                return Signals.INT.exitCode(); // the one that ends this process is of the signal itself
            }
            Attempt<Lease> attempt = waited.get();
            if (attempt instanceof Attempt.Busy<Lease> busy) {
                output.say(new RefusalText(spec, key).text(locks.inspect().get(key), busy));
                return ExitCodes.BUSY;
            }
            // Not closed: closing a lease releases it, while closing the client leaves it to its time.
            @SuppressWarnings("resource")
            Lease taken = attempt.orThrow();
            show(taken, seen(locks, taken));
        }
        return ExitCodes.OK;
    }

    /** What others see of it. The lease id is what matters: without it nobody could release the lock. */
    private static Optional<Holder> seen(LockClient locks, Lease taken) {
        try {
            return locks.inspect().get(taken.key()).holders().stream()
                    .filter(holder -> holder.token().equals(taken.token()))
                    .findFirst();
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    /** Ctrl-C while waiting: the place in the queue is given up at once, not when it is found dead. Empty then. */
    private Optional<Attempt<Lease>> waited(LockClient locks, LockKey key) throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread giveUp = new Thread(() -> {
            interrupted.set(true);
            locks.close();
        });
        Runtime.getRuntime().addShutdownHook(giveUp);
        String who = owner.isPresent() ? owner.get() : Operator.label(target);
        LockWait.WantedLock wanted = new LockWait.WantedLock(
                key, who, Optional.of(wait), false, (options, length) -> ask(options.owner(who), length));
        try {
            Optional<Attempt<Lease>> attempt = new LockWait(locks, wanted, stop -> {}, output.err()).get();
            if (!interrupted.get()) {
                Runtime.getRuntime().removeShutdownHook(giveUp);
            }
            return attempt;
        } catch (ClientClosedException e) {
            if (interrupted.get()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void ask(AcquireOptions options, Duration waiting) {
        options.waitUpTo(waiting).lease(lease).withoutRenewal().reason(reason);
        sharing.apply(options);
        metadata.forEach(options::metadata);
        leaseId.ifPresent(id -> options.leaseId(new LeaseId(id)));
    }

    /** With the names of {@code POST /v2/locks/acquire}; what others see is missing if it had ended when looked at. */
    private void show(Lease taken, Optional<Holder> seen) {
        String id = taken.leaseId().value();
        Json answer = Json.build()
                .with("namespace", taken.key().namespace())
                .with("name", taken.key().name())
                .with("path", taken.key().path().value())
                .ifPresent("mode", seen.map(it -> it.mode().label()))
                .ifPresent("owner", seen.map(Holder::owner))
                .with("lease_id", id)
                .with("fencing_token", taken.token().value())
                .ifPresent("granted_at", seen.map(it -> Rfc3339.text(it.grantedAt())))
                .with("expires_at", taken.expiresAt().map(Rfc3339::text))
                .with("lease_ms", lease.toMillis())
                .build();
        output.show(answer::writeTo, Stream.of(id), () -> {
            line("lease_id", id);
            line("fencing_token", taken.token().toString());
            taken.expiresAt().ifPresent(end -> line("expires_at", Rfc3339.text(end) + " (in " + Ages.of(lease) + ")"));
            NextSteps next = new NextSteps(spec);
            output.say("Nothing renews it. To keep it longer: "
                    + next.command("renew", taken.key().record(), "--lease-id", id));
            output.say("When the work is done: "
                    + next.command("release", taken.key().record(), "--lease-id", id));
        });
    }

    private void line(String label, String value) {
        output.println(output.painted(TextColour.QUIET, String.format("%-15s", label)) + value);
    }
}
