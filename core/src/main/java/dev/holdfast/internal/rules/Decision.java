package dev.holdfast.internal.rules;

import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Times;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a rule decided.
 *
 * @param record the record as it should be from now on
 * @param changed whether that differs from what it was, so that it must be written
 * @param result the answer, valid once the record has been written
 * @param events what happened, to be written together with the record
 * @param notBefore set when holds were judged expired by the clock: the store must check, where it can, that its own clock
 *     is past this in the same conditional write
 * @param <R> the family of the result
 */
public record Decision<R>(
        LockRecord record, boolean changed, R result, List<LockEvent> events, Optional<Instant> notBefore) {
    /** The later of two such bounds. */
    public static Optional<Instant> later(Optional<Instant> a, Optional<Instant> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return Optional.of(Times.later(a.get(), b.get()));
    }
}
