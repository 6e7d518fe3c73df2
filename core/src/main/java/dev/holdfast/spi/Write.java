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
 */
public record Write(
        RecordKey key,
        Precondition precondition,
        Optional<LockRecord> record,
        List<LockEvent> events,
        boolean wake,
        boolean samePast) {
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
