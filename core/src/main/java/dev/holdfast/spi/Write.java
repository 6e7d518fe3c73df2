package dev.holdfast.spi;

import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import java.util.List;
import java.util.Optional;

/**
 * One conditional write.
 *
 * @param key the record
 * @param precondition what must be true of it
 * @param record what it becomes; empty to delete it
 * @param events what to add to the history with it
 * @param wake whether another process has to hear of it at once: it was given the lock, or lost it by force
 * @param samePast the record remembers what is already stored under the expected stamp, so a store may leave that as it is
 * @param made the record as text, if that was made before: one thread writes for many, and should not make all their texts
 * @param again what to write instead if the precondition does not hold
 */
public record Write(
        RecordKey key,
        Precondition precondition,
        Optional<LockRecord> record,
        List<LockEvent> events,
        boolean wake,
        boolean samePast,
        Optional<RecordText> made,
        Optional<Again> again) {
    /**
     * Decides anew. A store that has the record locked in the moment it refuses a write may ask, and write the answer under the same
     * lock: nobody can come in between, so that of a crowd everybody writes at its first turn. No store has to.
     */
    public interface Again {
        /** What to write to a record that is like this; empty: refuse, and tell what is there. Neither blocks nor throws. */
        Optional<Write> on(Optional<Versioned> current);
    }

    /** A write whose text is not made yet. */
    public Write(
            RecordKey key,
            Precondition precondition,
            Optional<LockRecord> record,
            List<LockEvent> events,
            boolean wake,
            boolean samePast) {
        this(key, precondition, record, events, wake, samePast, Optional.empty(), Optional.empty());
    }

    /** The record as text; only for writes that do not delete. */
    public RecordText text() {
        return made.orElseGet(() -> RecordText.of(record.orElseThrow(), samePast));
    }

    /** A write of the whole record. */
    public Write(
            RecordKey key,
            Precondition precondition,
            Optional<LockRecord> record,
            List<LockEvent> events,
            boolean wake) {
        this(key, precondition, record, events, wake, false);
    }
}
