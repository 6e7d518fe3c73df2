package dev.holdfast.cli;

import dev.holdfast.Stores;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Locks whose holders were last heard of long ago, as no test can wait for. */
public final class Abandoned {
    private Abandoned() {}

    /** Somebody took it 4 hours ago, renewed it 15 minutes later, and was never heard of again. */
    public static Token fourHoursAgo(String store, LockKey key, String owner) {
        Instant now = Instant.now();
        Instant granted = now.minus(Duration.ofHours(4)).minusSeconds(5);
        Token token = new Token(Times.micros(granted));
        Hold hold = new Hold(
                new LeaseId("abandoned-lease"),
                Scope.of(key.path(), Mode.EXCLUSIVE),
                owner,
                token,
                granted,
                granted.plus(Duration.ofMinutes(15)),
                Times.NEVER,
                new Terms(Times.FOREVER, Duration.ofSeconds(30), Duration.ZERO, Map.of(), ""),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
        LockRecord record = new LockRecord(
                LockRecord.FORMAT,
                key.record(),
                new Stamp(4711),
                token,
                List.of(hold),
                List.of(),
                Map.of(),
                Past.NONE,
                Map.of());
        Write write = Write.create(record);
        try (RecordStore opened = Stores.open(store)) {
            WriteResult result = Await.get(opened.write(List.of(write))).get(0);
            if (!(result instanceof WriteResult.Applied)) {
                throw new AssertionError("could not be written: " + result);
            }
        }
        return token;
    }
}
