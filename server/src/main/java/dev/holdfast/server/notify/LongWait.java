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
record LongWait(RecordKey key, Waiter waiter, Instant due, Instant seen, List<Hold> holders) {
    /** Of a lock that many share, the first few say enough. */
    static final int MAX_HOLDERS = 3;

    LongWait {
        holders = List.copyOf(holders);
    }

    /** One acquisition waits once. */
    String identity() {
        return waiter.leaseId().fingerprint() + "\n" + waiter.since();
    }

    Notice notice() {
        return new Notice(
                NoticeKind.WAITING.label(),
                key,
                seen, // one that goes on may be told however late it is
                identity(),
                sentence(),
                json -> write(json, holders),
                json -> write(json, List.of()));
    }

    private Duration waited() {
        return Duration.between(waiter.since(), seen);
    }

    private void write(JsonGenerator json, List<Hold> told) throws IOException {
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
        LockJson.holds(json, told);
    }

    private String sentence() {
        String whom = holders.stream()
                .map(hold -> hold.owner() + NoticeWords.reason(hold.terms().reason()))
                .collect(Collectors.joining(", "));
        return waiter.owner() + " has waited for lock " + key + " for " + NoticeWords.time(waited())
                + (whom.isEmpty() ? "" : "; it is held by " + whom);
    }
}
