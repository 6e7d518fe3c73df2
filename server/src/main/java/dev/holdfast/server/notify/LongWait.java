package dev.holdfast.server.notify;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.LockJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Somebody who has waited for long.
 *
 * @param due when the wait became long, by the time of the store
 * @param seen when it was seen, by the same time
 * @param holders whom it waits for, the first few
 */
record LongWait(RecordKey key, Waiter waiter, Instant due, Instant seen, List<Hold> holders) implements Notice {
    /** Of a lock that many share, the first few say enough. */
    static final int MAX_HOLDERS = 3;

    LongWait {
        holders = List.copyOf(holders);
    }

    @Override
    public String label() {
        return NoticeKind.WAITING.label();
    }

    /** One that goes on may be told however late it is. */
    @Override
    public Instant at() {
        return seen;
    }

    /** One acquisition waits once. */
    @Override
    public String identity() {
        return waiter.leaseId().fingerprint() + "\n" + waiter.since();
    }

    private Duration waited() {
        return Duration.between(waiter.since(), seen);
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        EventJson.waiting(
                json,
                new LockEvent(
                        EventType.QUEUED,
                        key,
                        waiter.scope(),
                        waiter.leaseId().fingerprint(),
                        waiter.owner(),
                        Token.NONE,
                        seen,
                        waited(),
                        waiter.owner(),
                        "",
                        Map.of(),
                        ""));
        json.writeFieldName("holders");
        LockJson.holds(json, holders);
    }

    @Override
    public Notice shortened() {
        return new LongWait(key, waiter, due, seen, List.of());
    }

    @Override
    public String sentence() {
        String whom = holders.stream()
                .map(hold -> hold.owner() + NoticeWords.reason(hold.terms().reason()))
                .collect(Collectors.joining(", "));
        return waiter.owner() + " has waited for lock " + key + " for " + NoticeWords.time(waited())
                + (whom.isEmpty() ? "" : "; it is held by " + whom);
    }
}
