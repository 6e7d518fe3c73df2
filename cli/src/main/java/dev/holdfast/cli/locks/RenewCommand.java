package dev.holdfast.cli.locks;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "renew",
        header = "Renew a lock for another lease, counted from now.",
        description = "Prints the new end of the lease.",
        footer = "holdfast renew deploy-web --lease-id \"$$id\" --lease 10m",
        exitCodeList = {Codes.USUAL, "3:It is no longer held with this lease id: stop the work."})
public final class RenewCommand extends TargetCommand {
    @Mixin
    private LockArgument lock;

    @Mixin
    private LeaseOption lease;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description = "A different length from now on, 100ms to 24h (default: as it was acquired).")
    private Optional<Duration> length = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "As it was acquired; may be left out.")
    private Optional<String> path = Optional.empty();

    @Override
    protected int run() {
        LockKey key = lock.key(target, path);
        LeaseId id = lease.get();
        try (LockClient locks = target.openExisting()) {
            Attempt<Holder> renewed = Uninterruptibly.answer(
                    length.map(it -> locks.renew(key, id, it)).orElseGet(() -> locks.renew(key, id)));
            return renewed.fold(
                    done -> renewed(locks, key, id, done.value().expiresAt()),
                    busy -> lost(key, id, LostReason.UNKNOWN),
                    lost -> lost(key, id, lost.reason()));
        }
    }

    private int renewed(LockClient locks, LockKey key, LeaseId id, Optional<Instant> end) {
        JsonText.Part answer = json -> LeaseJson.result(
                json,
                id,
                "renewed",
                more -> more.writeStringField(
                        "expires_at", end.map(Rfc3339::text).orElse(null)));
        output.show(answer, Stream.of(id.value()), () -> {
            String left = end.map(it ->
                            " (in " + Ages.between(locks.inspect().get(key).at(), it) + ")")
                    .orElse("");
            output.println(output.painted(TextColour.QUIET, "expires_at  ")
                    + end.map(Rfc3339::text).orElse("never")
                    + left);
        });
        return ExitCodes.OK;
    }

    private int lost(LockKey key, LeaseId id, LostReason reason) {
        String label = LeaseJson.label(reason);
        JsonText.Part answer =
                json -> LeaseJson.result(json, id, "lost", more -> more.writeStringField("reason", label));
        output.show(answer, Stream.empty(), () -> {});
        output.say("holdfast: " + RefusalText.named(key) + " is not held with this lease id (" + label
                + "). Somebody else may hold it by now: stop the work, then acquire it again");
        return ExitCodes.NOT_HELD;
    }
}
