package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a store takes writes while nobody writes. A record that nobody ever used is written and deleted again: deleting alone
 * would show nothing, since it often works on a full disk. One that somebody used gets a new stamp and nothing else, on the condition that
 * nobody changed it since it was read: whoever uses the lock meanwhile only sees that another writer was faster.
 */
final class WriteTrial {
    private final EngineParts parts;
    private final RecordKey key;
    private final int bytes;
    private final CompletableFuture<Void> told = new CompletableFuture<>();

    private WriteTrial(EngineParts parts, RecordKey key, int bytes) {
        this.bytes = bytes;
        this.parts = parts;
        this.key = key;
    }

    static CompletableFuture<Void> run(EngineParts parts, RecordKey key, int bytes) {
        WriteTrial trial = new WriteTrial(parts, key, bytes);
        parts.io(Calling.ASYNC, trial::read);
        return trial.told;
    }

    private void read() {
        Stages.then(
                parts.measured(
                        EngineMeter.Operation.READ, 1, () -> parts.store().read(key)),
                (current, failure) -> {
                    if (failure != null) {
                        told.completeExceptionally(failure);
                    } else if (current == null
                            || current.filter(it -> it.record().isNewer()).isPresent()) {
                        told.complete(null); // not for us to write
                    } else {
                        write(current);
                    }
                });
    }

    private void write(Optional<Versioned> current) {
        LockRecord record =
                current.map(Versioned::record).orElseGet(this::unused).stamped(parts.newStamp());
        Write write =
                current.map(it -> Write.of(Precondition.Stamped.as(it), record)).orElseGet(() -> Write.create(record));
        parts.writes().submit(write, (result, failure) -> written(record, result), Calling.ASYNC);
    }

    /** A record of nobody, with a text in it that no store can make shorter. */
    private LockRecord unused() {
        LockRecord empty = LockRecord.empty(key);
        if (bytes == 0) {
            return empty;
        }
        StringBuilder text = new StringBuilder(bytes + 2).append('"');
        while (text.length() < bytes) {
            text.append(Long.toHexString(parts.machine().random()));
        }
        return new LockRecord(
                empty.format(),
                key,
                empty.stamp(),
                empty.fence(),
                empty.holds(),
                empty.queue(),
                empty.alive(),
                empty.past(),
                Map.of("trial", text.append('"').toString()));
    }

    private void written(LockRecord record, @Nullable WriteResult result) {
        told.complete(null);
        boolean unused = record.isIdle() && record.fence().equals(Token.NONE);
        if (unused && result instanceof WriteResult.Applied applied) {
            Write delete = Write.delete(key, Precondition.Stamped.as(new Versioned(record, applied.tag())));
            parts.writes().submit(delete, (deleted, failure) -> {}, Calling.ASYNC);
        }
    }
}
