package dev.holdfast.spi;

import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import java.util.List;
import java.util.Optional;

/**
 * One conditional write, made by {@link #create}, {@link #of} or {@link #delete}.
 *
 * @param key the record
 * @param precondition what must be true of it
 * @param record what it becomes; empty to delete it, which needs its stamp
 * @param events what to add to the history with it
 * @param wake who has to hear of it at once: who was given the lock, or lost it by force
 * @param samePast the record remembers what is already stored under the expected stamp, so a store may leave that as it is
 * @param made the record as text, if that was made before: one thread writes for many, and should not make all their texts
 * @param again what to write instead if the precondition does not hold
 */
public record Write(
        RecordKey key,
        Precondition precondition,
        Optional<LockRecord> record,
        List<LockEvent> events,
        Watchable.Wake wake,
        boolean samePast,
        Optional<RecordText> made,
        Optional<Again> again) {
    /** Checks that only a record whose stamp is known is deleted. */
    public Write {
        if (record.isEmpty() && !(precondition instanceof Precondition.Stamped)) {
            throw new IllegalArgumentException(
                    "lock '" + key.name() + "' in '" + key.namespace() + "' can be deleted only by its stamp");
        }
    }

    /**
     * Decides anew. A store that has the record locked in the moment it refuses a write may ask, and write the answer
     * under the same lock: nobody can come in between, so each of a crowd of writers succeeds at its first turn. Stores
     * need not do this.
     */
    public interface Again {
        /** What to write to a record that is like this; empty: refuse, and return what is there. Neither blocks nor throws. */
        Optional<Write> on(Optional<Versioned> current);
    }

    /** Writes a record that is not there yet. */
    public static Write create(LockRecord record) {
        return of(new Precondition.Absent(), record);
    }

    /** Writes the whole record, without events or wake-ups. */
    public static Write of(Precondition precondition, LockRecord record) {
        return new Write(record.key(), precondition, Optional.of(record));
    }

    /** Deletes the record that has this stamp. */
    public static Write delete(RecordKey key, Precondition.Stamped precondition) {
        return new Write(key, precondition, Optional.empty());
    }

    private Write(RecordKey key, Precondition precondition, Optional<LockRecord> record) {
        this(key, precondition, record, List.of(), Watchable.Wake.NOBODY, false, Optional.empty(), Optional.empty());
    }

    /** The same with these for the history. */
    public Write withEvents(List<LockEvent> other) {
        return new Write(key, precondition, record, other, wake, samePast, made, again);
    }

    /** The same, with these to be told. */
    public Write withWake(Watchable.Wake other) {
        return new Write(key, precondition, record, events, other, samePast, made, again);
    }

    /** The same, remembering what is stored already, or not; before its text is made. */
    public Write withSamePast(boolean other) {
        return new Write(key, precondition, record, events, wake, other, Optional.empty(), again);
    }

    /** The same with its text made now, on this thread. */
    public Write withText() {
        return new Write(key, precondition, record, events, wake, samePast, Optional.of(text()), again);
    }

    /** The same with somebody to ask if it is refused. */
    public Write withAgain(Again other) {
        return new Write(key, precondition, record, events, wake, samePast, made, Optional.of(other));
    }

    /** The record as text; only for writes that do not delete. */
    public RecordText text() {
        return made.orElseGet(() -> RecordText.of(record.orElseThrow(), samePast));
    }
}
