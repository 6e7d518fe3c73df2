package dev.holdfast.cli.locks;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.StoreAnswers;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.wire.Rfc3339;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast renew}: keeps a lock that 'acquire' took. */
@Command(
        name = "renew",
        description = "Holds a lock for another lease, counted from now. Prints when it ends.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            Codes.USAGE,
            "3:It is not held with this lease id any more: stop the work.",
            Codes.REFUSED,
            Codes.UNREACHABLE
        })
public final class RenewCommand implements Callable<Integer> {
    @Mixin
    private LockArgument lock;

    @Mixin
    private LeaseOption lease;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description = "Another length from now on, 100ms to 24h (default: as it was acquired).")
    private Optional<Duration> length = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "As it was acquired; may be left out.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        LockKey key = lock.key(target, path);
        LeaseId id = lease.get();
        try (LockClient locks = target.openExisting()) {
            Attempt<Holder> renewed =
                    StoreAnswers.of(length.map(it -> locks.renew(key, id, it)).orElseGet(() -> locks.renew(key, id)));
            return renewed.fold(
                    done -> renewed(locks, key, id, done.value()),
                    busy -> lost(key, id, LostReason.UNKNOWN),
                    lost -> lost(key, id, lost.reason()));
        } finally {
            output.out().flush();
        }
    }

    private int renewed(LockClient locks, LockKey key, LeaseId id, Holder holder) {
        String end = holder.expiresAt().map(Rfc3339::text).orElse("never");
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeStringField("lease_id", id.value());
                    json.writeStringField("outcome", "renewed");
                    json.writeStringField(
                            "expires_at", holder.expiresAt().map(Rfc3339::text).orElse(null));
                    json.writeEndObject();
                });
            case name -> output.out().println(id.value());
            case table ->
                output.out()
                        .println(output.painted(Ink.QUIET, "expires_at  ")
                                + end
                                + holder.expiresAt()
                                        .map(it -> " (in "
                                                + Ages.between(
                                                        locks.inspect().get(key).at(), it) + ")")
                                        .orElse(""));
        }
        return ExitCodes.OK;
    }

    private int lost(LockKey key, LeaseId id, LostReason reason) {
        String label = reason.name().toLowerCase(Locale.ROOT);
        if (output.format() == Output.Format.json || output.format() == Output.Format.yaml) {
            output.print(json -> {
                json.writeStartObject();
                json.writeStringField("lease_id", id.value());
                json.writeStringField("outcome", "lost");
                json.writeStringField("reason", label);
                json.writeEndObject();
            });
        }
        output.err()
                .println("holdfast: " + RefusalText.named(key) + " is not held with this lease id (" + label
                        + "). Another may hold it by now: stop the work, then acquire anew");
        return ExitCodes.NOT_HELD;
    }
}
