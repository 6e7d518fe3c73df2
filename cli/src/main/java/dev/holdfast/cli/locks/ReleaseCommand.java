package dev.holdfast.cli.locks;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.StoreAnswers;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast release}: gives back a lock that 'acquire' took. */
@Command(
        name = "release",
        description = "Gives a lock back, or a place in its queue.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            Codes.USAGE,
            "3:It was not held with this lease id any more.",
            Codes.REFUSED,
            Codes.UNREACHABLE
        })
public final class ReleaseCommand implements Callable<Integer> {
    @Mixin
    private LockArgument lock;

    @Mixin
    private LeaseOption lease;

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
        boolean released;
        try (LockClient locks = target.openExisting()) {
            released = StoreAnswers.of(locks.release(key, id));
        }
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeStringField("lease_id", id.value());
                    json.writeStringField("outcome", released ? "released" : "not_held");
                    json.writeEndObject();
                });
            case name -> output.out().println(id.value());
            case table -> {
                if (released) {
                    output.out().println("released");
                }
            }
        }
        output.out().flush();
        if (!released) {
            output.err()
                    .println(
                            "holdfast: " + RefusalText.named(key)
                                    + " is not held with this lease id: it was released, ended or never granted. Nothing was done");
        }
        return released ? ExitCodes.OK : ExitCodes.NOT_HELD;
    }
}
