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
 * @param wake whether engines in other processes wait for changes of this record
 */
public record Write(
        RecordKey key, Precondition precondition, Optional<LockRecord> record, List<LockEvent> events, boolean wake) {}
