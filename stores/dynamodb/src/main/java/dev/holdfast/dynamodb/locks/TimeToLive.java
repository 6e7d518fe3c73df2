package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When DynamoDB may remove an item by itself. It does so at any moment after that, without asking for the stamp, so until then
 * nothing may need the item: no hold, no waiter, no ended lease whose late duplicate could come, no once-only marker, and no
 * token that the clock alone would not keep the next one above.
 */
record TimeToLive(Duration retention) {
    /** The clock alone keeps the next token above one that is older than this. */
    private static final Duration FENCED_BY_CLOCK = Duration.ofMinutes(1);

    /** The end of the second after which nobody needs the record; empty if it must stay until somebody deletes it. */
    Optional<Instant> of(LockRecord record) {
        boolean stays = record.past().done().isPresent()
                || record.busyUntil().filter(Times.NEVER::equals).isPresent();
        return stays ? Optional.empty() : Optional.of(Times.endOfSecond(needed(record)));
    }

    private Instant needed(LockRecord record) {
        Instant granted = Times.ofMicros(record.fence().value());
        Instant needed =
                Times.later(granted.plus(FENCED_BY_CLOCK), record.past().keepUntil());
        if (record.isIdle()) {
            Instant idleSince = Times.later(granted, record.past().lastEnd());
            return Times.later(needed, idleSince.plus(retention));
        }
        // Whoever asks again with the id of a lease that has ended must find that it has.
        needed = Times.later(
                needed, record.busyUntil().map(end -> end.plus(Past.KEEP_ENDED)).orElse(Instant.MIN));
        for (Instant until : record.alive().values()) {
            needed = Times.later(needed, until);
        }
        return needed;
    }
}
