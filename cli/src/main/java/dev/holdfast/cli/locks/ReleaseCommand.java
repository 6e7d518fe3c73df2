package dev.holdfast.cli.locks;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.JsonText;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "release",
        header = "Give a lock back, or a place in its queue.",
        footer = "holdfast release deploy-web --lease-id \"$$id\"",
        exitCodeList = {Codes.USUAL, "3:It was no longer held with this lease id."})
public final class ReleaseCommand extends TargetCommand {
    @Mixin
    private LockArgument lock;

    @Mixin
    private LeaseOption lease;

    @Option(names = "--path", paramLabel = "PATH", description = "As it was acquired; may be left out.")
    private Optional<String> path = Optional.empty();

    @Override
    protected int run() {
        LockKey key = lock.key(target, path);
        LeaseId id = lease.get();
        boolean released;
        try (LockClient locks = target.openExisting()) {
            released = Uninterruptibly.answer(locks.release(key, id));
        }
        JsonText.Part answer = json -> LeaseJson.result(json, id, released ? "released" : "not_held", more -> {});
        output.show(answer, Stream.of(id.value()), () -> {
            if (released) {
                output.println("released");
            }
        });
        if (!released) {
            output.say("holdfast: " + RefusalText.named(key)
                    + " is not held with this lease id: it was released, ended or never granted. Nothing was done");
        }
        return released ? ExitCodes.OK : ExitCodes.NOT_HELD;
    }
}
